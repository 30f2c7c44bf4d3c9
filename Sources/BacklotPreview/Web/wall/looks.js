// The devices and settings that the wall shows, and that pictures are taken of.

/** Each has an `id` for files, a name, and what is chosen above the phone; what it doesn't name is as usual. */
export const LOOKS = [
  { id: "ios", name: "iPhone" },
  { id: "ios-dark", name: "iPhone, dark", theme: "Dark" },
  { id: "ios-small", name: "Small iPhone", size: "Small phone" },
  { id: "ios-large", name: "Large iPhone", size: "Large phone" },
  { id: "android", name: "Android", platform: "Android" },
  { id: "android-dark", name: "Android, dark", platform: "Android", theme: "Dark" },
  { id: "android-small", name: "Small Android", platform: "Android", size: "Small phone" },
  { id: "right-to-left", name: "Right to left", direction: "Right to left" },
  { id: "largest-text", name: "Largest text", text: "Accessibility" },
  { id: "pseudo", name: "Longer, accented texts", isPseudo: true },
  { id: "tablet", name: "Tablet", size: "Tablet" },
  { id: "tablet-wide", name: "Tablet on its side", size: "Tablet", rotated: true },
].map((look) => ({ size: "Phone", platform: "iOS", theme: "Light", text: "Normal", direction: "Left to right", rotated: false, isPseudo: false, ...look }));
