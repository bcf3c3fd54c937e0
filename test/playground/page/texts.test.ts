import { describe, expect, test } from 'vitest'
import { blocks } from '../../../src/playground/page/text/blocks.ts'
import { codesIn, shortCode } from '../../../src/playground/page/text/codes.ts'
import { ago, satsOf, satsWords, since, timestamp } from '../../../src/playground/page/text/format.ts'
import { best } from '../../../src/playground/page/text/fuzzy.ts'
import { inlines } from '../../../src/playground/page/text/inline.ts'
import { processorTime } from '../../support/processor-time.ts'
import { invoice } from '../page-fixture.ts'

const text = (words: string) => ({ kind: 'text', text: words })

describe('the page’s markdown', () => {
  test.each([
    ['**bold**', [{ kind: 'bold', inside: [text('bold')] }]],
    [
      '*slanted* and _slanted_',
      [{ kind: 'italic', inside: [text('slanted')] }, text(' and '), { kind: 'italic', inside: [text('slanted')] }],
    ],
    [
      '__under__ ~~struck~~',
      [{ kind: 'underline', inside: [text('under')] }, text(' '), { kind: 'strike', inside: [text('struck')] }],
    ],
    ['**a *b* c**', [{ kind: 'bold', inside: [text('a '), { kind: 'italic', inside: [text('b')] }, text(' c')] }]],
    ['`**code**`', [{ kind: 'code', text: '**code**' }]],
    ['\\*\\*plain\\*\\*', [text('**plain**')]],
    ['snake_case_name and 2 * 3 * 4', [text('snake_case_name and 2 * 3 * 4')]],
    ['||hidden||', [{ kind: 'spoiler', inside: [text('hidden')] }]],
    ['<@123456789012345678>!', [{ kind: 'person', id: '123456789012345678' }, text('!')]],
    ['<@&123456789012345678>', [{ kind: 'role', id: '123456789012345678' }]],
    ['</voucher redeem:123>', [{ kind: 'command', path: 'voucher redeem' }]],
    ['<t:1700000000:R>', [{ kind: 'time', seconds: 1_700_000_000, style: 'R' }]],
    [
      'see https://example.com/a_b.',
      [
        text('see '),
        { kind: 'link', url: 'https://example.com/a_b', inside: [text('https://example.com/a_b')] },
        text('.'),
      ],
    ],
    ['[here](https://example.com/)', [{ kind: 'link', url: 'https://example.com/', inside: [text('here')] }]],
    ['[no](javascript:alert(1))', [text('[no](javascript:alert(1))')]],
    ['unclosed **bold and `code', [text('unclosed **bold and `code')]],
  ])('reads %s as Discord does', (source, expected) => {
    expect(inlines(source)).toEqual(expected)
  })

  test('recognizes headings, quotes, lists, small print and code blocks', () => {
    const kinds = blocks('# One\n> two\n> three\n- four\n- five\n3. six\n-# seven\n```js\n**eight**\n```\nnine').map(
      (block) => block.kind,
    )
    expect(kinds).toEqual(['heading', 'quote', 'list', 'list', 'small', 'fence', 'paragraph'])
    expect(blocks('```js\n**eight**\n```')).toEqual([{ kind: 'fence', language: 'js', text: '**eight**' }])
    expect(blocks('')).toEqual([])
  })

  test('processes hostile texts quickly', () => {
    // What grows with the square of a text, or worse, takes minutes.
    const spent = processorTime()
    for (const piece of ['*', '_', '`', '||', '[', '**a', '<@', '```', '\\', '~~', 'https://']) {
      blocks(piece.repeat(Math.floor(2_000 / piece.length)))
    }
    expect(spent()).toBeLessThan(10_000)
  })
})

describe('the codes in a text', () => {
  test('are found whole, with or without a scheme, in upper or lower case', () => {
    expect(codesIn(`Pay ${invoice}, please`)).toEqual([invoice])
    expect(codesIn(`lightning:${invoice.toUpperCase()}`)).toEqual([`lightning:${invoice.toUpperCase()}`])
    expect(codesIn('lnurl is a word, and so is lnbc1')).toEqual([])
    expect(shortCode(invoice).length).toBeLessThan(28)
  })
})

describe('the command search', () => {
  test.each([
    ['', ['tip', 'withdraw', 'voucher create']],
    ['vc', ['voucher create']],
    ['tip', ['tip']],
    ['w', ['withdraw']],
    ['create', ['voucher create']],
    ['x', []],
  ])('finds, for %j, the commands %j', (typed, found) => {
    expect(best(['tip', 'withdraw', 'voucher create'], typed, (name) => [name])).toEqual(found)
  })

  test.each(['g', 'giv', 'giveaway', 'iveaw', 'gvwy'])('keeps a command’s verbs in their order for %j', (typed) => {
    const verbs = ['giveaway start', 'giveaway edit', 'giveaway end']
    expect(best(['giveaways', ...verbs], typed, (name) => [name])).toEqual(
      typed === 'gvwy' ? ['giveaways', ...verbs] : [...verbs, 'giveaways'],
    )
  })
})

describe('the page’s amounts and times', () => {
  test('have separators, a real minus sign and units in words', () => {
    expect([satsOf('10000000'), satsOf(1_500n), satsOf('-21000'), satsOf('9007199254740993')]).toEqual([
      '10,000',
      '1.5',
      '−21',
      '9,007,199,254,740.993',
    ])
    expect([satsWords('1000'), satsWords('2000')]).toEqual(['1 sat', '2 sats'])
    expect(ago(5 * 60_000, 0)).toBe('in 5 minutes')
    expect(timestamp(0, 'R', 86_400_000 * 2, 'en-US')).toBe('2 days ago')
    expect(timestamp(0, 'R', 86_400_000 * 3, 'de')).toBe('vor 3 Tagen')
    expect(timestamp(1_795_772_933, 'D', 0, 'de')).toBe('27. November 2026')
    expect(since(new Date(5_000).toISOString(), 0)).toBe('now')
    expect(timestamp(Number.MAX_SAFE_INTEGER, 'R', 0, 'en-US')).toBe(String(Number.MAX_SAFE_INTEGER))
  })
})
