import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type FontCoverage, readFontCoverage } from './font-coverage.ts'

const require = createRequire(import.meta.url)

/** A font that comes with the program, because a container has no fonts. */
class Font {
  readonly #name: string
  #file: string | undefined
  #covers: FontCoverage | undefined

  constructor(name: string) {
    this.#name = name
  }

  /** The path of the font's file, resolved at the first use. */
  get file(): string {
    this.#file ??= require.resolve(`@expo-google-fonts/${this.#name}`)
    return this.#file
  }

  covers(codePoint: number): boolean {
    this.#covers ??= this.#read()
    return this.#covers(codePoint)
  }

  /**
   * Reads which characters the font covers. A font that is not installed covers none, so names in its script are drawn
   * in another form.
   */
  #read(): FontCoverage {
    try {
      return readFontCoverage(readFileSync(this.file))
    } catch {
      return () => false
    }
  }
}

/** The font for Latin, Cyrillic and Greek, in the two weights that all pictures need. */
const MEDIUM = new Font('inter/500Medium/Inter_500Medium.ttf')
const BOLD = new Font('inter/700Bold/Inter_700Bold.ttf')

/**
 * The fonts for further scripts, the smallest files first. A character that several fonts cover is drawn with the first
 * of these fonts. Devanagari and related scripts are left out, because the drawing library puts their vowel signs on
 * top of each other.
 */
const OTHERS = [
  new Font('noto-sans-thai/500Medium/NotoSansThai_500Medium.ttf'),
  new Font('noto-sans-hebrew/500Medium/NotoSansHebrew_500Medium.ttf'),
  new Font('noto-sans-arabic/500Medium/NotoSansArabic_500Medium.ttf'),
  // Kana, and the characters that Japanese shares with Chinese.
  new Font('m-plus-1p/500Medium/MPLUS1p_500Medium.ttf'),
  new Font('nanum-gothic/700Bold/NanumGothic_700Bold.ttf'),
]

/** Spaces, joiners and direction marks, which have no shape. */
const SHAPELESS = /[\s\p{Default_Ignorable_Code_Point}]/u

/** Returns the files of the fonts that draw this text. */
export function fontFilesFor(text: string): string[] {
  const needed = new Set<Font>([MEDIUM, BOLD])
  for (const letter of new Set(text)) {
    const font = fontOf(letter)
    if (font !== undefined) needed.add(font)
  }
  return [...needed].map(({ file }) => file)
}

/**
 * Whether there is a font for every letter of a text; a missing letter would be drawn as a box. A text with combining
 * marks may need only one font besides the main one, because the drawing library loses marks where fonts change.
 */
export function isDrawable(text: string): boolean {
  const fonts = [...new Set(text)].filter((letter) => !SHAPELESS.test(letter)).map(fontOf)
  if (fonts.includes(undefined)) return false
  return !/\p{M}/u.test(text) || new Set(fonts.filter((font) => font !== MEDIUM)).size <= 1
}

/**
 * Pictograms, and characters that join or colour them. No font here has coloured pictograms, and a name is readable
 * without pictograms.
 */
const PICTOGRAMS =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{So}|\u{20e3}|\u{fe0f}|\u{200d}/gu
/** Characters that would reverse the text after a name. */
const TURNING = /\p{Bidi_Control}/gu

/**
 * Returns a name in a form that can be drawn: unchanged, in plain letters instead of decorated ones (𝓐𝓵𝓲𝓬𝓮), or without
 * its pictograms. Returns undefined if letters would be missing, or if nothing would be left.
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
