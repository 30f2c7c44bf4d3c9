// Written by `make reference` from the vocabulary; do not edit it.

/** The releases, newest first. Those from the first to the last of a group do the same. */
export const RELEASES = [
  ["0.38", "0.40"],
  ["0.36", "0.37"],
  ["0.35", "0.35"],
  ["0.34", "0.34"],
  ["0.33", "0.33"],
  ["0.32", "0.32"],
  ["0.31", "0.31"],
  ["0.28", "0.30"],
  ["0.25", "0.27"],
  ["0.24", "0.24"],
];

/** The newest release that speaks a dialect. */
export const NEWEST = { documented: "0.30", objects: "0.40" };

/** The first and the last release that knows each widget and action. */
export const KNOWN = {
  checkbox_button: ["0.38"],
  selector: ["0.28"],
  modal: ["0.31"],
  on_user_error_poll: ["0.24", "0.31"],
  reset_var: ["0.36"],
  stop_actions: ["0.35"],
};

/** The first releases that read the keys of a widget or action; earlier ones pass over them. */
export const KEYS = {
  checkbox: { actions: "0.25", poll_delay_ms: "0.25", validated: "0.33" },
  selector: { poll_delay_ms: "0.25", validated: "0.33" },
  textfield: { poll_delay_ms: "0.25", validated: "0.33" },
  choose_photo: { aspect_ratio: "0.31" },
  rpc: { on_user_error_poll: "0.32" },
  take_photo: { aspect_ratio: "0.31" },
};
