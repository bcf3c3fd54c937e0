import { type Inline, inlines } from './inline.ts'

/** A paragraph or a larger part of a message's text. */
export type Block =
  | { readonly kind: 'paragraph' | 'small'; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly inside: readonly Inline[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list'
      readonly ordered: boolean
      readonly start: number
      readonly items: readonly (readonly Inline[])[]
    }
  | { readonly kind: 'fence'; readonly language: string; readonly text: string }

const fence = /```(?:([\w+-]+)\n)?\n?([\s\S]*?)\n?```/g

/** Parses the subset of markdown that Discord renders in messages and embeds. */
export function blocks(text: string): Block[] {
  const found: Block[] = []
  let at = 0
  for (const match of text.matchAll(fence)) {
    found.push(...lineBlocks(text.slice(at, match.index)))
    found.push({ kind: 'fence', language: match[1] ?? '', text: match[2] ?? '' })
    at = match.index + match[0].length
  }
  found.push(...lineBlocks(text.slice(at)))
  return found
}

function lineBlocks(text: string): Block[] {
  const lines = text.replace(/^\n|\n$/g, '').split('\n')
  if (lines.length === 1 && lines[0] === '') return []
  const found: Block[] = []
  for (let at = 0; at < lines.length; ) {
    const taken = special(lines, at)
    if (taken !== undefined) {
      found.push(taken.block)
      at += taken.lines
      continue
    }
    const last = found.at(-1)
    const read = inlines(lines[at] ?? '')
    if (last?.kind === 'paragraph') found[found.length - 1] = { kind: 'paragraph', lines: [...last.lines, read] }
    else found.push({ kind: 'paragraph', lines: [read] })
    at += 1
  }
  return found
}

function special(lines: readonly string[], at: number): { block: Block; lines: number } | undefined {
  const line = lines[at] ?? ''
  const heading = /^(#{1,3})\s+(\S.*)$/.exec(line)
  if (heading !== null) {
    const level = (heading[1]?.length ?? 1) as 1 | 2 | 3
    return { block: { kind: 'heading', level, inside: inlines(heading[2] ?? '') }, lines: 1 }
  }
  const small = /^-#\s+(\S.*)$/.exec(line)
  if (small !== null) return { block: { kind: 'small', lines: [inlines(small[1] ?? '')] }, lines: 1 }
  if (line.startsWith('>>> ')) {
    const rest = [line.slice(4), ...lines.slice(at + 1)]
    return { block: { kind: 'quote', blocks: blocks(rest.join('\n')) }, lines: rest.length }
  }
  if (line.startsWith('> ')) {
    const quoted = takeWhile(lines, at, (each) => each.startsWith('> ') || each === '>')
    return {
      block: { kind: 'quote', blocks: blocks(quoted.map((each) => each.slice(2)).join('\n')) },
      lines: quoted.length,
    }
  }
  return list(lines, at, /^\s*[-*]\s+(\S.*)$/, false) ?? list(lines, at, /^\s*(?:\d+)\.\s+(\S.*)$/, true)
}

function list(lines: readonly string[], at: number, shape: RegExp, ordered: boolean) {
  const items = takeWhile(lines, at, (line) => shape.test(line))
  if (items.length === 0) return undefined
  const inside = items.map((line) => inlines(shape.exec(line)?.[1] ?? ''))
  const start = ordered ? Number.parseInt(items[0] ?? '1', 10) : 1
  return { block: { kind: 'list' as const, ordered, start, items: inside }, lines: items.length }
}

function takeWhile(lines: readonly string[], at: number, fits: (line: string) => boolean): string[] {
  const end = lines.findIndex((line, index) => index >= at && !fits(line))
  return lines.slice(at, end === -1 ? undefined : end)
}
