import { InvalidLnurl, parseLightningAddress } from '../../lib/lightning/lnurl.ts'
import type { Outside } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { addressRecipient } from '../rewards/address-recipients.ts'
import { type CreateSplit, MAX_PARTS_TEXT, MAX_SPLIT_PARTS, type SplitPart, WHOLE_SPLIT } from './splits.ts'

/**
 * The form of a percentage, which has fewer digits than an id. A sign and further decimals match, too, so that they can
 * be reported as wrong.
 */
const PERCENT = /^[+-]?\d{1,14}(?:[.,]\d+)?$/
const DECIMALS = /^\+?(\d+)(?:[.,](\d{1,2}))?$/

/**
 * Reads a split's parts in percent: `@ann 50, @bob 30, carol@wallet.com 20`, with the percentage first or last. Throws
 * TippingRefusal `split-parts`, `split-percent`, `split-twice`, `split-too-many-parts` or `split-sum`.
 */
export function readParts(
  context: Outside,
  { parts: text, memberIn }: Pick<CreateSplit, 'parts' | 'memberIn'>,
): SplitPart[] {
  if (text.length > MAX_PARTS_TEXT) throw new TippingRefusal('split-too-many-parts', { most: MAX_SPLIT_PARTS })
  const pairs = pairsOf(wordsOf(text), text)
  if (pairs.length > MAX_SPLIT_PARTS) throw new TippingRefusal('split-too-many-parts', { most: MAX_SPLIT_PARTS })
  const parts = pairs.map(({ who, percent }) => ({ ...readWho(context, who, memberIn), share: readShare(percent) }))
  const seen = new Set<string>()
  for (const { recipient, address } of parts) {
    if (seen.has(recipient)) throw new TippingRefusal('split-twice', { people: [address ?? recipient] })
    seen.add(recipient)
  }
  const sum = parts.reduce((before, { share }) => before + share, 0)
  if (sum !== WHOLE_SPLIT) throw new TippingRefusal('split-sum', { sum: sum / 100 })
  return parts
}

/**
 * Splits the text into names and percentages. A comma between digits is a decimal sign if only one or two digits
 * follow; any other comma is a separator.
 */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/<@!?\d+>/g, ' $& ')
    .replaceAll(/(?<!\d),|(?<=\d{15}),|,(?!\d{1,2}(?!\d))/g, ' ')
    .replaceAll(/[%;=]|:(?=\s|$)/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
}

interface Pair {
  readonly who: string
  readonly percent: string
}

/** Pairs names and percentages in order. */
function pairsOf(words: readonly string[], text: string): Pair[] {
  const isPercentFirst = words[0] !== undefined && PERCENT.test(words[0])
  const pairs: Pair[] = []
  for (let at = 0; at < words.length; at += 2) {
    const [one = '', other = ''] = words.slice(at, at + 2)
    const [who, percent] = isPercentFirst ? [other, one] : [one, other]
    if (who === '' || PERCENT.test(who) || !PERCENT.test(percent)) {
      throw new TippingRefusal('split-parts', { text: `${one} ${other}`.trim() })
    }
    pairs.push({ who, percent })
  }
  if (pairs.length === 0) throw new TippingRefusal('split-parts', { text })
  return pairs
}

function readWho({ egress }: Outside, who: string, memberIn: CreateSplit['memberIn']): Omit<SplitPart, 'share'> {
  const member = memberIn(who)
  if (member !== undefined) return { recipient: member, address: undefined }
  try {
    if (!who.includes('@')) throw new TippingRefusal('split-parts', { text: who })
    const { address } = parseLightningAddress(who, egress.lnurl)
    return { recipient: addressRecipient(address), address }
  } catch (error) {
    throw error instanceof InvalidLnurl ? new TippingRefusal('split-parts', { text: who }) : error
  }
}

function readShare(percent: string): number {
  const [, whole = '0', decimals = ''] = DECIMALS.exec(percent) ?? []
  const share = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  if (share < 1 || share > WHOLE_SPLIT) throw new TippingRefusal('split-percent', { text: percent })
  return share
}
