/** Returns whether a font has its own glyph for this code point, instead of the box for missing glyphs. */
export type FontCoverage = (codePoint: number) => boolean

/**
 * Reads which code points a TrueType or OpenType font covers (its table `cmap`, formats 4 and 12, in ISO/IEC 14496-22).
 * Throws RangeError if the file is not a font.
 */
export function readFontCoverage(font: Buffer): FontCoverage {
  const cmap = findTable(font, 'cmap')
  const tables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => {
    const record = cmap + 4 + index * 8
    return cmap + font.readUInt32BE(record + 4)
  })
  const whole = tables.find((table) => font.readUInt16BE(table) === 12)
  if (whole !== undefined) return groups(font, whole)
  const basic = tables.find((table) => font.readUInt16BE(table) === 4)
  return basic === undefined ? () => false : segments(font, basic)
}

function findTable(font: Buffer, tag: string): number {
  for (let table = 0; table < font.readUInt16BE(4); table += 1) {
    const record = 12 + table * 16
    if (font.toString('latin1', record, record + 4) === tag) return font.readUInt32BE(record + 8)
  }
  throw new RangeError(`The font has no table ${tag}.`)
}

/** Reads format 12: ranges of code points, each with the glyph of its first code point. */
function groups(font: Buffer, table: number): FontCoverage {
  const ranges = Array.from({ length: font.readUInt32BE(table + 12) }, (_, index) => {
    const at = table + 16 + index * 12
    return { first: font.readUInt32BE(at), last: font.readUInt32BE(at + 4), glyph: font.readUInt32BE(at + 8) }
  })
  return (point) => {
    const range = ranges.find(({ first, last }) => point >= first && point <= last)
    return range !== undefined && range.glyph + point - range.first !== 0
  }
}

/** Reads format 4: segments of the first 65,536 code points, each with a shift, or a list of glyphs. */
function segments(font: Buffer, table: number): FontCoverage {
  const twice = font.readUInt16BE(table + 6)
  const word = (list: number, index: number) =>
    font.readUInt16BE(table + 14 + list * twice + (list > 0 ? 2 : 0) + index * 2)
  return (point) => {
    for (let index = 0; index < twice / 2; index += 1) {
      if (point > word(0, index)) continue
      const first = word(1, index)
      if (point < first) return false
      const offset = word(3, index)
      if (offset === 0) return ((point + word(2, index)) & 0xffff) !== 0
      const place = table + 16 + 3 * twice + index * 2
      return font.readUInt16BE(place + offset + (point - first) * 2) !== 0
    }
    return false
  }
}
