// Draws the picture of a campaign as PNG and shares it, or saves it if the device
// doesn't share files.
const picture = document.getElementById("picture");
const button = document.querySelector("[data-png]");

async function png() {
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 1200;
  canvas.height = 630;
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function save(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

button.hidden = false;
button.addEventListener("click", async () => {
  const file = new File([await png()], `${button.dataset.png}.png`, { type: "image/png" });
  const isTouched = matchMedia("(pointer: coarse)").matches;
  if (!isTouched || !navigator.canShare?.({ files: [file] })) return save(file);
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    if (error.name !== "AbortError") save(file); // closing the dialog is not an error
  }
});
