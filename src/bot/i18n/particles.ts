/** Korean particles: the first stands after a syllable that ends in a consonant, the second after any other. */
const PAIRS = [
  ['은', '는'],
  ['을', '를'],
  ['이', '가'],
  ['과', '와'],
  ['으로', '로'],
] as const
const AFTER_A_NAME = /(?<=([가-힣])`)(은|는|을|를|이|가|과|와|으로|로)(?![가-힣])/g

/** Syllables are in the order of their ends (The Unicode Standard, 3.12): none first, ㄹ ninth. */
const FIRST_SYLLABLE = 0xac_00
const ENDS = 28
const RIEUL = 8

/**
 * Korean particles after a piece of code, as the name in it wants them: translators write them for a command's English name, which
 * may stand there as `/tip` or as `/팁`. Other languages stay as they are.
 */
export function withParticles(text: string): string {
  return text.replace(AFTER_A_NAME, (particle, syllable: string) => {
    const [closed, open] = PAIRS.find((pair) => pair.some((each) => each === particle)) ?? [particle, particle]
    const end = ((syllable.codePointAt(0) ?? 0) - FIRST_SYLLABLE) % ENDS
    return end === 0 || (end === RIEUL && open === '로') ? open : closed
  })
}
