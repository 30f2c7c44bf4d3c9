import { el, fill, icon } from "../../core/element.js";
import { ownPath } from "../urls.js";

/** A movie behind its picture. A browser that reads no m3u8 plays the file that is loaded while it plays. */
export function drawMovie(view, { client, host }) {
  const { data } = view;
  const stage = el("div", { class: "stage-of-movie" });
  const [width, height] = [Number(data.preview_width) || 16, Number(data.preview_height) || 9];
  stage.style.setProperty("aspect-ratio", `${width} / ${height}`);
  const play = () => {
    const file = String(data.progressive_file ?? String(data.main_url ?? "").replace("/ts/", "/html5/").replace("m3u8", "m4v"));
    const path = ownPath(file);
    const video = el("video", { controls: true, autoplay: true, playsinline: true, src: path ?? "" });
    video.addEventListener("error", () => {
      host.problem(`This browser can't play ${file}.`);
      fill(stage, el("p", { class: "undrawable", role: "alert" }, icon("alert"), el("span", { text: "This movie can't be played here." })));
    });
    fill(stage, video);
  };
  fill(stage, data.preview_url ? host.image(String(data.preview_url), location.origin) : null, el("button", { type: "button", class: "play", "aria-label": "Play", on: { click: play } }, icon("play")));
  return el("div", { class: "movie" }, stage, data.title_id !== undefined ? el("h2", { dir: "auto", text: client.text(data.title_id) }) : null, data.text_id !== undefined ? el("p", { dir: "auto", text: client.text(data.text_id) }) : null);
}
