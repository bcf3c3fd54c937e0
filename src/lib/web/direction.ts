/** The languages that are written from right to left: Arabic, Persian, Hebrew and Urdu. */
const RIGHT_TO_LEFT = /^(?:ar|fa|he|ur)\b/

/** Whether a language, by its code (BCP 47), is written from right to left. */
export function isRightToLeft(language: string): boolean {
  return RIGHT_TO_LEFT.test(language)
}
