import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigProblem, parseConfig, readEnvFile, warningsOf } from '../../src/config/config.ts'
import { VARIABLES, variableLike } from '../../src/config/variables.ts'

const folder = mkdtempSync(join(tmpdir(), 'env-'))
const file = join(folder, '.env')
afterAll(() => rmSync(folder, { recursive: true }))

const values = (content: string | Buffer) => {
  writeFileSync(file, content)
  return readEnvFile(file)
}
const problems = (content: string | Buffer): readonly string[] => {
  try {
    values(content)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigProblem)
    return (error as ConfigProblem).problems.map((problem) => problem.replace(folder, ''))
  }
}
/** Returns a text as UTF-16, as Windows writes it; tests also swap its bytes. */
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')

describe('an .env file', () => {
  it.each([
    ['a byte order mark', '\uFEFFDISCORD_TOKEN=abc\nLOG_LEVEL=warn\n'],
    ['Windows line ends', 'DISCORD_TOKEN=abc\r\nLOG_LEVEL=warn\r\n'],
    ['line ends of old Macs', 'DISCORD_TOKEN=abc\rLOG_LEVEL=warn\r'],
    ['a byte order mark and Windows line ends', '\uFEFFDISCORD_TOKEN=abc\r\nLOG_LEVEL=warn'],
    ['spaces, quotes and export', '  export DISCORD_TOKEN = "abc"\n\tLOG_LEVEL=\'warn\' # a word\n'],
    ['comments and empty lines', '\n# DISCORD_TOKEN\n  # x\nDISCORD_TOKEN=abc\n\n \nLOG_LEVEL=warn'],
  ])('is read in full even if it has %s', (_, content) => {
    expect(values(content)).toEqual({ DISCORD_TOKEN: 'abc', LOG_LEVEL: 'warn' })
  })

  it('can be missing, in which case no variable is set', () => {
    expect(readEnvFile(join(folder, 'none'))).toEqual({})
  })

  it.each([
    ['UTF-16', utf16('DISCORD_TOKEN=abc\n')],
    ['UTF-16 in the other byte order', utf16('DISCORD_TOKEN=abc\n').swap16()],
    ['UTF-16 without a byte order mark', Buffer.from('DISCORD_TOKEN=abc\n', 'utf16le')],
    ['a database', Buffer.from('SQLite format 3\0')],
  ])('is refused if it is %s', (_, content) => {
    expect(problems(content)).toEqual([
      '/.env is not UTF-8 text: it is UTF-16, or not text at all. Save it as UTF-8 (plain text).',
    ])
  })

  it('is refused with the line number if it is Latin-1', () => {
    expect(problems(Buffer.from('LOG_LEVEL=warn\nRESERVED_NAMES=Caf\xe9\n', 'latin1'))).toEqual([
      '/.env, line 2, is not UTF-8. Save it as UTF-8 (plain text).',
    ])
  })

  it.each([
    'DISCORD_TO',
    'DISCORD_TOKEN',
    'DISCORD_TOKEN: abc',
    'set DISCORD_TOKEN=abc',
    '$env:DISCORD_TOKEN=abc',
    '=abc',
    '{"DISCORD_TOKEN":"a=b"}',
    'DISCORD TOKEN=abc',
    '<<<<<<< HEAD',
    '// LOG_LEVEL=warn',
  ])('is refused with an error that does not quote the wrong line: %s', (line) => {
    expect(problems(`LOG_LEVEL=warn\r\n${line}\r\nSERVICE_PORT=1`)).toEqual([
      '/.env, line 2, is not NAME=value. Complete it, or put # before it.',
    ])
  })

  it('is refused with a list of all wrong lines', () => {
    expect(problems('A\nB=1\nC')).toHaveLength(2)
  })

  it.each(['"', "'", '`'])('is refused if a quote is not closed: %s', (quote) => {
    expect(problems(`DISCORD_TOKEN=${quote}abc\nLOG_LEVEL=${quote}warn${quote}`)).toEqual([
      `/.env, line 1, opens a quote (${quote}) that it does not close. Example: DISCORD_TOKEN=${quote}value${quote}`,
    ])
  })

  it('is refused with both line numbers if it sets a variable twice', () => {
    expect(problems('DATA_FOLDER=a\n# DATA_FOLDER=b\nexport DATA_FOLDER=c')).toEqual([
      '/.env, line 3, sets DATA_FOLDER again, as line 1 does. Keep the line that you mean.',
    ])
  })

  it.each(['"./data"; SERVICE_PORT=1', "'./da'ta", '`a``b`'])(
    'is refused if text follows the closing quote: %s',
    (value) => {
      expect(problems(`DATA_FOLDER=${value}`)).toEqual([
        expect.stringMatching(/^\/\.env, line 1, goes on after the quote \(["'`]\) that ends the value/),
      ])
    },
  )

  it.each(['"a" # why', "'a'  ", '`a`#', "it's"])('is read with a comment, space or apostrophe: %s', (value) => {
    expect(problems(`RESERVED_NAMES=${value}`)).toEqual([])
  })

  it.each([
    ['\u200B', 'U+200B, a zero-width space'],
    ['\u00A0', 'U+00A0, a no-break space'],
    ['\uFEFF', 'U+FEFF, a byte order mark'],
    ['\u2063', 'U+2063'],
    ['\u3000', 'U+3000'],
  ])('is refused if a name has an invisible character, which the error names', (character, words) => {
    const said = [`/.env, line 2, has an invisible character (${words}) where a name should be. Type the line again.`]
    for (const name of [`${character}LOG_LEVEL`, `LOG${character}LEVEL`, `LOG_LEVEL${character}`])
      expect(problems(`# x\n${name}=warn`)).toEqual(said)
  })

  it('is refused if it is a folder or a broken link', () => {
    mkdirSync(join(folder, 'made-by-docker'))
    symlinkSync(join(folder, 'gone'), join(folder, 'link'))
    expect(() => readEnvFile(join(folder, 'made-by-docker'))).toThrow(
      /made-by-docker is a folder\. Put the settings file/,
    )
    expect(() => readEnvFile(join(folder, 'link'))).toThrow(/link is a link that leads nowhere\./)
  })
})

describe('a value', () => {
  it.each([
    ['SERVICE_PUBLIC_URL', 'https://pay.exam\u00ADple.org', 'U+00AD, a soft hyphen'],
    ['DISCORD_TOKEN', 'ab\u200Bc', 'U+200B, a zero-width space'],
    ['LISTEN_HOST', '\u200E127.0.0.1', 'U+200E, a left-to-right mark'],
    ['DATA_FOLDER', './da\u00A0ta', 'U+00A0, a no-break space'],
  ])('of %s is refused for an invisible character, which the error names', (name, value, words) => {
    expect(() => parseConfig({ [name]: value })).toThrow(
      `${name} has an invisible character (${words}). Type its value again.`,
    )
  })

  it.each([
    ['is UTF-16', utf16('secret\n'), /DISCORD_TOKEN_FILE names a file that is not UTF-8: save it as plain text/],
    [
      'has an invisible character',
      'se\u200Bcret',
      /DISCORD_TOKEN_FILE names a file with an invisible character \(U\+200B/,
    ],
  ])('is refused if its file %s', (_, content, words) => {
    writeFileSync(join(folder, 'secret'), content)
    expect(() => parseConfig({ DISCORD_TOKEN_FILE: join(folder, 'secret') })).toThrow(words)
  })

  it('is read even if its file begins with a byte order mark', () => {
    writeFileSync(join(folder, 'secret'), '\uFEFFsecret\r\n')
    expect(parseConfig({ DISCORD_TOKEN_FILE: join(folder, 'secret') }).discord?.token.reveal()).toBe('secret')
  })
})

describe('a name in the environment', () => {
  it.each([
    ['discord_token', 'DISCORD_TOKEN'],
    ['DISCORD-TOKEN', 'DISCORD_TOKEN'],
    ['DISCORD_TOKE', 'DISCORD_TOKEN'],
    ['DISCROD_TOKEN', 'DISCORD_TOKEN'],
    ['DISCORDTOKEN', 'DISCORD_TOKEN'],
    ['DISCORD_TOKENS_FILE', 'DISCORD_TOKEN_FILE'],
    ['PAYMENT_API_KEY', 'PAYMENTS_API_KEY'],
    ['PAYMENTS_DATABSE_URL', 'PAYMENTS_DATABASE_URL'],
    ['DATAFOLDER', 'DATA_FOLDER'],
    ['LIGHTNING_BACKENDS', 'LIGHTNING_BACKEND'],
    ['NWC_URL', 'NWC_URI'],
  ])('is reported as a possible misspelling of a variable: %s', (name, meant) => {
    expect(variableLike(name)).toBe(meant)
    expect(warningsOf([name, 'PATH'])).toEqual([
      `Satchel knows no variable ${name}, and goes on without it. Is ${meant} meant?`,
    ])
  })

  it.each([
    'PATH',
    'HOME',
    'HOSTNAME',
    'NODE_OPTIONS',
    'DISCORD_TOKEN',
    'DISCORD_TOKEN_FILE',
    'POSTGRES_PASSWORD',
    'TZ',
  ])('is not taken for a misspelling if correct or unrelated: %s', (name) => expect(variableLike(name)).toBeUndefined())

  it('is compared with exactly the variables that .env.example explains', () => {
    const example = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8')
    const explained = [...example.matchAll(/^#? ?([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name)
    const known = (name: string) => VARIABLES.includes(name) || VARIABLES.includes(name.replace(/_FILE$/, ''))
    expect(explained.filter((name) => !known(name))).toEqual([])
    expect(VARIABLES.filter((name) => !explained.some((each) => each === name || each === `${name}_FILE`))).toEqual([])
  })
})
