// A language that nobody speaks: each text has accents and is longer, so that what is too narrow, or can't be translated, shows.

const LETTERS = "aàbƀcçdđeéfƒgğhĥiîjĵkķlłmɱnñoöpþqǫrřsštţuûvṽwŵxẋyýzžAÀBƁCÇDĐEÉFƑGĞHĤIÎJĴKĶLŁMṀNÑOÖPÞQǪRŘSŠTŢUÛVṼWŴXẊYÝZŽ";
const ACCENTED = new Map([...LETTERS].flatMap((letter, index, all) => (index % 2 === 0 ? [[letter, all[index + 1]]] : [])));

/** A text in that language: vowels stand twice, which makes it longer by about two fifths, and brackets show where it begins and ends. */
export function pseudo(text) {
  if (!/\p{L}/u.test(text)) return text;
  const [, before, words, after] = /^(\s*)(.*?)(\s*)$/su.exec(text);
  const longer = [...words].map((letter) => {
    const accented = ACCENTED.get(letter) ?? letter;
    return /[aeiou]/i.test(letter) ? accented + accented.toLowerCase() : accented;
  });
  return `${before}[${longer.join("")}]${after}`;
}

/** Writes all texts below an element in that language. */
export function writePseudo(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode } = walker;
    const next = currentNode.data.startsWith("[") ? currentNode.data : pseudo(currentNode.data);
    if (next !== currentNode.data) currentNode.data = next;
  }
  for (const field of root.querySelectorAll("[placeholder]")) if (!field.placeholder.startsWith("[")) field.placeholder = pseudo(field.placeholder);
}
