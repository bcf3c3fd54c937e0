import fc from 'fast-check'

/** The total number of cases of all properties (FUZZ_CASES), which share it by weight. */
const ALL = Number(process.env.FUZZ_CASES ?? 100_000)

export function cases(percent: number): number {
  return Math.max(1, Math.round((ALL * percent) / 100))
}

/** The seed in FUZZ_SEED, which repeats a failure; without it, every run draws new cases. */
export const seeded = process.env.FUZZ_SEED === undefined ? {} : { seed: Number(process.env.FUZZ_SEED) }

/** Strings that have broken programs before, and any others. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      '\u202e',
      '👩‍👩‍👧',
      '\ud800',
      '__proto__',
      'constructor',
      'toString',
      'null',
      'undefined',
      'NaN',
    ],
    ...['0', '-0', '-1', '1', '1000', '0.1', '1e3', '1e999', '0x10', '٣', '1,000', '1_000', '２１', '21000000', '+5'],
    ...['9007199254740993', '2100000000000000000', '9223372036854775808', '340282366920938463463374607431768211456'],
    ...["' OR 1=1 --", '"; DROP TABLE "Move"; --', '{{7*7}}', '%00', '%2e%2e%2f', '../../etc/passwd'],
    ...[
      '<script>alert(1)</script>',
      '@everyone',
      '```',
      '\r\nX-Injected: 1',
      'http://127.0.0.1/',
      'file:///etc/passwd',
    ],
    ...[
      'http://[::1]/',
      'http://169.254.169.254/',
      'lnbc1',
      'lnurl1dp68gurn8ghj7',
      'a@b',
      'all',
      'half',
      '$5',
      '5 usd',
      '1k',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 300 }),
  fc.integer({ min: 1_000, max: 20_000 }).map((length) => 'a'.repeat(length)),
)

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 2,
    arbitrary: fc.constantFrom(null, true, false, 0, -1, 1, 1.5, 1e21, Number.MAX_SAFE_INTEGER, [], {}, [[]]),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** A body with some of an operation's own fields, unexpected values, and unknown fields. */
export function hostileBody(fields: readonly string[]): fc.Arbitrary<string> {
  const own = Object.fromEntries(fields.map((name) => [name, hostileValue]))
  const record = fc.record(own, { requiredKeys: [] })
  return fc.oneof(
    { weight: 6, arbitrary: record.map((body) => JSON.stringify(body)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(record, fc.dictionary(hostileText, hostileValue, { maxKeys: 3 }))
        .map(([body, strange]) => JSON.stringify({ ...strange, ...body })),
    },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
    { weight: 1, arbitrary: hostileText },
  )
}

const headerText = hostileText.map((text) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 2_000))

export const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'idempotency-key': headerText,
    'content-type': fc.oneof(
      fc.constantFrom('text/plain', 'application/xml', 'application/json; charset=x'),
      headerText,
    ),
    'x-forwarded-for': headerText,
    accept: headerText,
    cookie: headerText,
    range: headerText,
  },
  { requiredKeys: [] },
)
