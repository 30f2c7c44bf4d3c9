// Lets a person take or choose a photo, and sends it as JPEG, as clients do.

import { el, fill } from "../core/element.js";
import { keepInside } from "./modal.js";

/** The longest side of a photo that is sent, in pixels. */
const LONGEST = 2048;

export function drawPhotoPicker({ action, goOn, fail, revert }, { host, client }) {
  const path = action.argument;
  const { layer } = client;
  let [stream, isClosed] = [null, false];
  // A page that is drawn again has a new picker.
  layer.close?.();
  layer.close = () => {
    isClosed = true;
    stop(stream);
  };
  const leave = () => {
    layer.close();
    client.layer = null;
  };
  const cancel = () => {
    host.step({ do: "cancelPhoto" });
    leave();
    revert?.();
    client.changed();
  };
  const send = async (source, width, height) => {
    // Of two quick clicks, the first counts.
    if (layer.isSending) return;
    layer.isSending = true;
    const photo = await jpeg(source, width, height, action.ratio).finally(() => (layer.isSending = false));
    if (client.layer !== layer) return;
    host.step({ do: "uploadPhoto" });
    leave();
    client.isBusy = true;
    const { life } = client;
    client.changed();
    try {
      await client.upload(path, photo);
      await goOn();
    } catch (error) {
      await fail(error);
    } finally {
      if (life === client.life) client.isBusy = false;
      client.changed();
    }
  };
  const message = el("p", { class: "hint", role: "status" });
  const file = el("input", {
    type: "file", accept: "image/*", class: "file", "aria-label": "Choose a picture",
    on: {
      change: async () => {
        const chosen = file.files[0];
        if (!chosen) return;
        try {
          const bitmap = await createImageBitmap(chosen);
          await send(bitmap, bitmap.width, bitmap.height);
        } catch {
          message.textContent = `${chosen.name} is no picture that this browser can read.`;
        }
      },
    },
  });
  const sheet = el("div", { class: "sheet", role: "dialog", "aria-modal": "true", "aria-label": action.typ === "take_photo" ? "Take a photo" : "Choose a photo" });
  const buttons = [
    el("button", { type: "button", "data-first": true, text: "Choose a File…", on: { click: () => file.click() } }),
    el("button", { type: "button", text: "Use the Camera", on: { click: () => camera() } }),
    el("button", { type: "button", class: "cancel", text: "Cancel", on: { click: cancel } }),
  ];
  if (action.typ === "take_photo") buttons.unshift(buttons.splice(1, 1)[0]);
  const camera = async () => {
    let found;
    try {
      found = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    } catch {
      message.textContent = "There is no camera, or the browser doesn't let preview use it.";
      return;
    }
    // The picker may have closed, or have a camera, since the browser asked.
    if (isClosed || stream) return void stop(found);
    stream = found;
    const video = el("video", { class: "camera", autoplay: true, playsinline: true, "aria-label": "What the camera sees" });
    video.muted = true;
    video.srcObject = stream;
    const shutter = el("button", { type: "button", class: "shutter", "aria-label": "Take the photo", on: { click: () => send(video, video.videoWidth, video.videoHeight) } });
    fill(sheet, video, el("div", { class: "buttons" }, shutter, buttons.at(-1)));
    shutter.focus();
  };
  sheet.addEventListener("keydown", (event) => {
    if (event.key === "Escape") cancel();
    keepInside(event, [...sheet.querySelectorAll("button")]);
  });
  fill(sheet, el("div", { class: "buttons" }, buttons.slice(0, -1)), message, file, el("div", { class: "buttons" }, buttons.at(-1)));
  return el("div", { class: "layer bottom" }, sheet);
}

/** Turns a camera off. */
function stop(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** A picture as JPEG, cut to the ratio, if there is one. */
async function jpeg(source, width, height, ratio) {
  let [w, h] = [width, height];
  if (ratio) [w, h] = w / h > ratio ? [h * ratio, h] : [w, w / ratio];
  const scale = Math.min(1, LONGEST / Math.max(w, h));
  const canvas = el("canvas", { width: Math.max(1, Math.round(w * scale)), height: Math.max(1, Math.round(h * scale)) });
  canvas.getContext("2d").drawImage(source, (width - w) / 2, (height - h) / 2, w, h, 0, 0, canvas.width, canvas.height);
  return new Promise((resume) => canvas.toBlob(resume, "image/jpeg", 0.85));
}
