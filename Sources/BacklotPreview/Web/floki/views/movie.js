import { el, fill, icon } from "../../core/element.js";
import { color } from "../colors.js";
import { ownPath, resolved } from "../urls.js";
import { positive, words } from "../values.js";

/** The largest posters of a phone and of a tablet, which are the usual ones. */
const POSTERS = { phone: [285, 160], tablet: [450, 400] };

/** The facade of a movie: its picture, a cell that plays it, and what it is about. It plays at once unless `autoload` is false. */
export function drawMovie(view, context) {
  const { client } = context;
  const { data, entry } = view;
  const { isTablet } = context.host.phone;
  const [width, height] = isTablet ? POSTERS.tablet : POSTERS.phone;
  const size = (value, most) => Math.max(30, Math.min(most, positive(value, most)));
  const stage = el("div", { class: "stage-of-movie" });
  stage.style.setProperty("--poster-width", String(size(data.preview_width, width)));
  stage.style.setProperty("--poster-height", String(size(data.preview_height, height)));
  const notice = el("p", { class: "undrawable", role: "alert", hidden: true });
  const play = () => playMovie(view, stage, notice, facade, context);
  const button = el("button", { type: "button", class: "play", "aria-label": "Play", "data-key": "play", on: { click: play } }, icon("play"), el("span", { text: "Play back video" }));
  if (color(data.playback_color)) button.style.setProperty("--cell-highlight", color(data.playback_color));
  const facade = () => fill(stage, words(data.preview_url) === "" ? el("span", { class: "picture missing" }, icon("play")) : context.host.image(resolved(data.preview_url, view.url)));
  facade();
  const title = words(data.title) || (data.title_id !== undefined ? client.text(data.title_id) : words(entry?.title));
  const text = words(data.text) || (data.text_id !== undefined ? client.text(data.text_id) : words(entry?.body));
  const movie = el("div", { class: "movie" }, stage, button, notice, title ? el("h2", { dir: "auto", text: title }) : null, text ? el("p", { class: "about", dir: "auto", text }) : null);
  for (const [name, value] of Object.entries({ "--title-color": data.title_color, "--body-color": data.text_color, "--cell-color": data.back_normal_color })) if (color(value)) movie.style.setProperty(name, color(value));
  if (color(data.back_normal_color)) movie.classList.add("painted");
  movie.style.setProperty("--title-size", String(positive(data.title_size, 16)));
  if (isTablet) movie.style.setProperty("--point", "1px");
  movie.style.setProperty("--padding", String(positive(data.padding, 3)));
  movie.style.setProperty("--title-lines", String(positive(data.title_lines, 10)));
  movie.style.setProperty("--text-size", String(positive(data.text_size, 13)));
  if (data.autoload !== false) play();
  return movie;
}

/** Plays the stream where the browser can, else the file that is loaded while it plays. */
function playMovie(view, stage, notice, facade, { host }) {
  const own = words(view.data.progressive_file);
  const file = own ? resolved(own, view.url) : view.url.replaceAll("/ts/", "/html5/").replaceAll("m3u8", "m4v");
  const video = el("video", { controls: true, autoplay: true, playsinline: true });
  const sources = [video.canPlayType("application/vnd.apple.mpegurl") ? view.url : null, file].filter((url) => url !== null);
  const next = () => {
    const url = sources.shift();
    const path = url === undefined ? null : ownPath(url);
    if (path !== null) return void (video.src = path);
    host.problem(url === undefined ? `This browser can't play ${file}.` : `The movie ${url} is on another host. A phone would play it; preview asks no other host.`);
    facade();
    notice.hidden = false;
    fill(notice, icon("alert"), el("span", { text: "This movie can't be played here." }));
  };
  video.addEventListener("error", next);
  notice.hidden = true;
  fill(stage, video);
  next();
}
