/**
 * Names that speak for the person who runs a host (those of RFC 2142, and others that people understand in the same
 * way).
 */
const AUTHORITY = [
  'abuse admin administrator administration billing compliance custodian founder hostmaster moderation moderator',
  'noreply official operator owner postmaster root security staff superuser support sysadmin sysop system treasury',
  'verified webmaster',
].flatMap((line) => line.split(' '))
/**
 * Words that are reserved as whole names, and in combination with each other. Within another name, they are ordinary
 * words.
 */
const ALONE =
  'account bank bot contact dev developer help helpdesk info mod node pay payment payments service team wallet'.split(
    ' ',
  )
/** Words that do not change a name's meaning: `the-real-admin` is `admin`. */
const FILLERS = 'the real true my our your team desk bot mod help info service account wallet pay dev'.split(' ')
/** The product's own name. */
const PRODUCT = 'satchel'
/**
 * The length of the shortest of our own names that is reserved anywhere within a name. A shorter one is too likely to
 * be part of somebody's honest name.
 */
const MIN_CONTAINED = 5

/**
 * Letters of other scripts, digits and pairs of letters, each with the letter that it looks like. They are a selection
 * of Unicode's confusables (UTS 39), for characters that names contain.
 */
const LOOKS_LIKE: ReadonlyArray<readonly [RegExp, string]> = [
  [/[|!1iıɩіӏΙι]/gu, 'l'],
  [/[0οоօσ]/gu, 'o'],
  [/[3εеҽ]/gu, 'e'],
  [/[4@αа]/gu, 'a'],
  [/[5$ѕ]/gu, 's'],
  [/[7+τт]/gu, 't'],
  [/[8вβ]/gu, 'b'],
  [/[9ɡ]/gu, 'g'],
  [/[2]/gu, 'z'],
  [/[ρр]/gu, 'p'],
  [/[сϲ]/gu, 'c'],
  [/[νѵ]/gu, 'v'],
  [/[κк]/gu, 'k'],
  [/[нһ]/gu, 'h'],
  [/[мϻ]/gu, 'm'],
  [/[υу]/gu, 'y'],
  [/[хχ]/gu, 'x'],
  [/[ոп]/gu, 'n'],
  [/rn/gu, 'm'],
  [/vv/gu, 'w'],
]

/**
 * Reduces a name to its appearance: ignores compatibility forms, accents, case, look-alikes, and every character that
 * is neither a letter nor a digit.
 */
export function skeleton(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const looks = LOOKS_LIKE.reduce((text, [pattern, letter]) => text.replaceAll(pattern, letter), plain)
  return looks.replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/**
 * Whether a name seems to speak for the operator: it is a name of authority, contains one as a word (`alice-support`),
 * or combines one with meaningless words (`realadmin2`); or it contains the product's name or one of `own` anywhere (a
 * short one only as a word).
 */
export function isReservedName(name: string, own: readonly string[] = []): boolean {
  const owned = [PRODUCT, ...own].map(skeleton).filter((word) => word !== '')
  const forms = [name, name.replaceAll(/^\d+|\d+$/g, '')].filter((form) => form !== '')
  return forms.some((form) => isReserved(form, owned))
}

const AUTHORITIES = AUTHORITY.map(skeleton)
const SPEAKING = new Set([...AUTHORITIES, ...ALONE.map(skeleton)])
const WORDS = new Set([...SPEAKING, ...FILLERS.map(skeleton)])

function isReserved(name: string, owned: readonly string[]): boolean {
  const whole = skeleton(name)
  const words = name.split(/[^\p{L}\p{N}]+/u).map(skeleton)
  const speaking = [...AUTHORITIES, ...owned]
  if (words.some((word) => speaking.some((known) => endsOf(known, word, 0).includes(word.length)))) return true
  const long = owned.filter((word) => word.length >= MIN_CONTAINED)
  if (long.some((word) => [...whole].some((_, at) => endsOf(word, whole, at).length > 0))) return true
  return speaks(whole)
}

/** Whether a skeleton consists of known words, at least one of which is a reserved name. */
function speaks(whole: string): boolean {
  /**
   * By length of the part that was read: whether that part contained a reserved name; undefined if known words do not
   * add up to it.
   */
  const read: (boolean | undefined)[] = [false]
  for (let start = 0; start < whole.length; start += 1) {
    if (read[start] === undefined) continue
    for (const word of WORDS) {
      const found = read[start] || SPEAKING.has(word)
      for (const end of endsOf(word, whole, start)) read[end] ||= found
    }
  }
  return read[whole.length] === true
}

/** Returns the places where a word that begins at `start` may end. Each letter of the word may be repeated. */
function endsOf(word: string, text: string, start: number): number[] {
  let at = start
  let least = start
  for (const [run] of word.matchAll(/(.)\1*/gu)) {
    const [letter = ''] = run
    if (!text.startsWith(run, at)) return []
    least = at + run.length
    at = least
    while (text.startsWith(letter, at)) at += letter.length
  }
  return Array.from({ length: at - least + 1 }, (_, more) => least + more)
}
