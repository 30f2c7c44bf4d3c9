/** A colour of three numbers from 0 to 255, or null. */
export function color(value) {
  const isColor = Array.isArray(value) && value.length === 3 && value.every((one) => Number.isInteger(one) && one >= 0 && one <= 255);
  return isColor ? `rgb(${value.join(" ")})` : null;
}
