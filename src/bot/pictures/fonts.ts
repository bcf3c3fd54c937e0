import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type FontCoverage, readFontCoverage } from './font-coverage.ts'

const require = createRequire(import.meta.url)

/** The fonts are part of the program: a container has none of its own. */
class Font {
  readonly #name: string
  #file: string | undefined
  #covers: FontCoverage | undefined

  constructor(name: string) {
    this.#name = name
  }

  /** Its file; resolved when it is first needed. */
  get file(): string {
    this.#file ??= require.resolve(`@expo-google-fonts/${this.#name}`)
    return this.#file
  }

  covers(codePoint: number): boolean {
    this.#covers ??= this.#read()
    return this.#covers(codePoint)
  }

  /** A font that is not installed has no letters; names in its script are written in another way. */
  #read(): FontCoverage {
    try {
      return readFontCoverage(readFileSync(this.file))
    } catch {
      return () => false
    }
  }
}

/** Latin, Cyrillic and Greek, in the two weights that all pictures need. */
const MEDIUM = new Font('inter/500Medium/Inter_500Medium.ttf')
const BOLD = new Font('inter/700Bold/Inter_700Bold.ttf')

/**
 * Further scripts, the lightest files first. Characters of an earlier one are drawn with that. Devanagari and its
 * relatives are left out: the library that draws puts their vowel signs on top of each other.
 */
const OTHERS = [
  new Font('noto-sans-thai/500Medium/NotoSansThai_500Medium.ttf'),
  new Font('noto-sans-hebrew/500Medium/NotoSansHebrew_500Medium.ttf'),
  new Font('noto-sans-arabic/500Medium/NotoSansArabic_500Medium.ttf'),
  // Kana, and the characters that Japanese shares with Chinese.
  new Font('m-plus-1p/500Medium/MPLUS1p_500Medium.ttf'),
  new Font('nanum-gothic/700Bold/NanumGothic_700Bold.ttf'),
]

/** Spaces, joiners and marks of direction, which have no shape. */
const SHAPELESS = /[\s\p{Default_Ignorable_Code_Point}]/u

/** The files of the fonts that this text is drawn with. */
export function fontFilesFor(text: string): string[] {
  const needed = new Set<Font>([MEDIUM, BOLD])
  for (const letter of new Set(text)) {
    const font = fontOf(letter)
    if (font !== undefined) needed.add(font)
  }
  return [...needed].map(({ file }) => file)
}

/**
 * Whether there is a font for every letter of a text: what none has would be drawn as a box. With marks above or below, the
 * letters must be of one script besides ours: the library that draws loses them where fonts change.
 */
export function isDrawable(text: string): boolean {
  const fonts = [...new Set(text)].filter((letter) => !SHAPELESS.test(letter)).map(fontOf)
  if (fonts.includes(undefined)) return false
  return !/\p{M}/u.test(text) || new Set(fonts.filter((font) => font !== MEDIUM)).size <= 1
}

/** Pictograms, and what joins or colours them: no font here has them in colour, and a name can do without. */
const PICTOGRAMS =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{So}|\u{20e3}|\u{fe0f}|\u{200d}/gu
/** They would turn what follows a name. */
const TURNING = /\p{Bidi_Control}/gu

/**
 * A name as it can be drawn: as it is, in plain letters where it is in decorated ones (𝓐𝓵𝓲𝓬𝓮), or without its pictograms.
 * undefined where letters would be missing, or nothing would be left.
 */
export function drawableName(name: string): string | undefined {
  const straight = name.replace(TURNING, '')
  const plain = straight.normalize('NFKC')
  const bare = plain.replace(PICTOGRAMS, '').replace(/\s+/g, ' ')
  return [straight, plain, bare]
    .map((text) => text.trim())
    .find((text) => /[\p{L}\p{N}]/u.test(text) && isDrawable(text))
}

function fontOf(letter: string): Font | undefined {
  const point = letter.codePointAt(0) ?? 0
  return [MEDIUM, ...OTHERS].find((font) => font.covers(point))
}
