import { lstatSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { invisibleIn } from './invisible.ts'
import { ConfigProblem } from './reader.ts'

/**
 * Reads the content of an `.env` file; undefined if there is none. Throws ConfigProblem if the file is not text or
 * cannot be read.
 */
export function readEnvText(file: string): string | undefined {
  const bytes = read(file)
  if (bytes === undefined) return undefined
  const remedy = 'Save it as UTF-8 (plain text)'
  if (bytes.includes(0) || startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) {
    throw new ConfigProblem([`${file} is not UTF-8 text: it is UTF-16, or not text at all. ${remedy}.`])
  }
  const text = startsWith(bytes, 0xef, 0xbb, 0xbf) ? bytes.subarray(3) : bytes
  const lines = text.toString('latin1').split(/\r\n?|\n/)
  const wrong = lines.findIndex((line) => !isUtf8(line))
  if (wrong >= 0) throw new ConfigProblem([`${file}, line ${wrong + 1}, is not UTF-8. ${remedy}.`])
  return text.toString('utf8').replace(/\r\n?/g, '\n')
}

/**
 * Reads the variables of an `.env` file; returns no variables if there is no file. Each line must be NAME=value, a
 * comment or empty. Throws ConfigProblem with the number of each unreadable line, so that no line is ignored silently.
 */
export function readEnvFile(file: string): Readonly<Record<string, string | undefined>> {
  const text = readEnvText(file)
  if (text === undefined) return {}
  const set = new Map<string, number>()
  const problems = text.split('\n').flatMap((line, i) => {
    const what = faultOf(line) ?? setTwice(line, i + 1, set)
    return what === undefined ? [] : [`${file}, line ${i + 1}, ${what}`]
  })
  if (problems.length > 0) throw new ConfigProblem(problems)
  return parseEnv(text)
}

/**
 * Describes the fault of a line whose name was set earlier: only one of the two values would apply, without a warning.
 * `set` contains the line number of each earlier name.
 */
function setTwice(line: string, number: number, set: Map<string, number>): string | undefined {
  const name = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=/.exec(line)?.[1]
  if (name === undefined) return undefined
  const before = set.get(name)
  set.set(name, number)
  return before === undefined ? undefined : `sets ${name} again, as line ${before} does. Keep the line that you mean.`
}

/** Describes a line's fault without quoting what may be a secret; returns undefined if the line has none. */
function faultOf(line: string): string | undefined {
  if (/^[ \t]*(#|$)/.test(line)) return undefined
  const named = /^[ \t]*(?:export[ \t]+)?([^=]*?)[ \t]*=[ \t]*(.*)$/s.exec(line)
  const [, name, value = ''] = named ?? []
  const invisible = invisibleIn(name ?? line)
  if (invisible !== undefined)
    return `has an invisible character (${invisible}) where a name should be. Type the line again.`
  if (name === undefined || !/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name)) {
    return 'is not NAME=value. Complete it, or put # before it.'
  }
  const quote = /^["'`]/.exec(value)?.[0]
  if (quote !== undefined && !value.slice(1).includes(quote)) {
    return `opens a quote (${quote}) that it does not close. Example: ${name}=${quote}value${quote}`
  }
  const rest = quote === undefined ? '' : value.slice(value.indexOf(quote, 1) + 1)
  if (!/^\s*(#|$)/.test(rest)) {
    return `goes on after the quote (${quote}) that ends the value, which would be left out. Put the rest in a line of its own, or # before it.`
  }
  return undefined
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT' && lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined
    const why = {
      EISDIR: 'is a folder. Put the settings file in its place',
      ENOENT: 'is a link that leads nowhere. Repair the link, or remove it',
      EACCES: 'cannot be read by this user. Give it to the user that runs Satchel',
    }[code ?? '']
    throw new ConfigProblem([`${file} ${why ?? `cannot be read (${code}). Check the file`}.`])
  }
}

function startsWith(bytes: Buffer, ...start: readonly number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte)
}

/** Whether a line is valid UTF-8. `line` contains the line's bytes as Latin-1 characters. */
function isUtf8(line: string): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(line, 'latin1'))
    return true
  } catch {
    return false
  }
}
