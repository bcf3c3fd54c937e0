import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { isFile, isPostgres } from '../lib/database/url-kinds.ts'
import { Problem } from '../lib/problem.ts'
import { invisibleIn } from './invisible.ts'
import { Secret } from './secret.ts'

/** Thrown if the settings are invalid. Each problem contains the variable's name, the fault, and a valid value. */
export class ConfigProblem extends Problem {
  override name = 'ConfigProblem'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration needs a change:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** Reads variables one by one and collects the problems, so that a person sees all of them together. */
export class Reader {
  readonly problems: string[] = []
  readonly #environment: Readonly<Record<string, string | undefined>>

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment
  }

  /** Reads a variable's text without surrounding white space; undefined if it is unset or empty. */
  text(name: string): string | undefined {
    const text = this.#environment[name]?.trim() || undefined
    const invisible = text === undefined ? undefined : invisibleIn(text)
    if (invisible !== undefined)
      this.#problem(`${name} has an invisible character (${invisible}). Type its value again.`)
    return text
  }

  /**
   * Reads a secret from its variable, or from the file that the same variable with `_FILE` names. With `hex`, that file
   * is binary, and is returned as hexadecimal digits.
   */
  secret(name: string, form: 'text' | 'hex' = 'text'): Secret | undefined {
    const value = this.#secretText(name, form)
    return value === undefined ? undefined : new Secret(value)
  }

  /** Reads a required secret. If it is missing, records a problem and returns an empty secret. */
  requiredSecret(name: string, exampleFile: string, form: 'text' | 'hex' = 'text'): Secret {
    const secret = this.secret(name, form)
    const isNamed = this.text(name) !== undefined || this.text(`${name}_FILE`) !== undefined
    if (secret === undefined && !isNamed) {
      this.wrong(`${name}_FILE`, `(or ${name}) is missing: LIGHTNING_BACKEND needs it`, exampleFile)
    }
    return secret ?? new Secret('')
  }

  /**
   * Reads the file that a variable names. Returns undefined if the variable is unset, or if the file cannot be read; in
   * the latter case, also records a problem.
   */
  file(name: string, example: string): Buffer | undefined {
    const path = this.text(name)
    if (path === undefined) return undefined
    try {
      return readFileSync(path)
    } catch (error) {
      const { code } = error as { code?: string }
      const what = code === 'ENOENT' ? 'does not exist' : `cannot be read by this user (${code})`
      this.wrong(name, `names a file that ${what}: ${path}`, example)
      return undefined
    }
  }

  #secretText(name: string, form: 'text' | 'hex'): string | undefined {
    const value = this.text(name)
    const path = this.text(`${name}_FILE`)
    if (value !== undefined && path !== undefined) {
      this.wrong(`${name}_FILE`, `and ${name} are both set: remove one of them`, path)
    }
    if (value !== undefined || path === undefined) return value
    const content = this.file(`${name}_FILE`, '/run/secrets/NAME')
    if (content === undefined) return undefined
    if (form === 'text' && content.includes(0)) {
      this.wrong(`${name}_FILE`, 'names a file that is not UTF-8: save it as plain text', path)
      return undefined
    }
    const text = form === 'hex' ? content.toString('hex') : content.toString('utf8').trim()
    const invisible = invisibleIn(text)
    if (invisible !== undefined) {
      this.wrong(`${name}_FILE`, `names a file with an invisible character (${invisible}): write it again`, path)
    }
    if (text === '') this.wrong(`${name}_FILE`, 'names an empty file', path)
    return text || undefined
  }

  /** Reads secrets separated by commas. During a rotation there are two. */
  secrets(name: string): Secret[] {
    return (this.#secretText(name, 'text') ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => new Secret(part))
  }

  port(name: string, fallback: number): number {
    return this.whole(name, fallback, { from: 0, to: 65_535, example: String(fallback) })
  }

  whole(name: string, fallback: number, limits: { from: number; to: number; example: string }): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (number >= limits.from && number <= limits.to) return number
    this.wrong(name, `must be a whole number from ${limits.from} to ${limits.to}, not "${value}"`, limits.example)
    return fallback
  }

  decimal(name: string, fallback: number, limits: { from: number; to: number; example: string }): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    const number = /^\d{1,6}(\.\d{1,4})?$/.test(value) ? Number(value) : Number.NaN
    if (number >= limits.from && number <= limits.to) return number
    this.wrong(name, `must be a number from ${limits.from} to ${limits.to}, not "${value}"`, limits.example)
    return fallback
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.text(name)?.toLowerCase()
    if (value === undefined) return fallback
    if (['1', 'true', 'yes', 'on'].includes(value)) return true
    if (['0', 'false', 'no', 'off'].includes(value)) return false
    this.wrong(name, `must be true or false, not "${value}"`, String(fallback))
    return fallback
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    const value = this.text(name)
    if (value === undefined) return fallback
    const found = choices.find((choice) => choice === value)
    if (found) return found
    this.wrong(name, `must be one of ${choices.join(', ')}, not "${value}"`, fallback)
    return fallback
  }

  /** Reads an http or https address, and removes slashes at its end. */
  url(name: string, example: string): string | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    if (parsed && /^https?:$/.test(parsed.protocol) && !parsed.username && !parsed.search && !parsed.hash) {
      return value.replace(/\/+$/, '')
    }
    this.wrong(name, 'must be an http or https address without a question mark, user name or #', example)
    return undefined
  }

  /** Reads a Discord id: 17 to 20 digits. */
  snowflake(name: string): string | undefined {
    const value = this.text(name)
    if (value === undefined || /^\d{17,20}$/.test(value)) return value
    this.wrong(name, `must be a Discord id of 17 to 20 digits, not "${value}"`, '123456789012345678')
    return undefined
  }

  /** Reads Discord ids separated by commas. */
  snowflakes(name: string): string[] {
    const ids = (this.text(name) ?? '').split(',').map((id) => id.trim())
    const wrong = ids.find((id) => id !== '' && !/^\d{17,20}$/.test(id))
    if (wrong !== undefined) {
      this.wrong(
        name,
        `must be Discord ids of 17 to 20 digits, separated by commas; "${wrong}" is not one`,
        '123456789012345678',
      )
    }
    return ids.filter(Boolean)
  }

  /** Reads words or names separated by commas, each of at most `most` characters. */
  words(name: string, { most, example }: { most: number; example: string }): string[] {
    const words = (this.text(name) ?? '').split(',').map((word) => word.trim())
    const wrong = words.find((word) => word.length > most || /\p{C}/u.test(word))
    if (wrong !== undefined) {
      this.wrong(name, `must be names of at most ${most} characters, separated by commas`, example)
    }
    return words.filter(Boolean)
  }

  /** Reads two-letter country codes (ISO 3166-1) separated by commas. */
  countries(name: string): string[] {
    const codes = (this.text(name) ?? '').split(',').map((code) => code.trim().toUpperCase())
    const wrong = codes.find((code) => code !== '' && !/^[A-Z]{2}$/.test(code))
    if (wrong !== undefined)
      this.wrong(name, `must be two-letter country codes, separated by commas; "${wrong}" is not one`, 'KP,IR')
    return codes.filter(Boolean)
  }

  /** Reads IP addresses and networks, separated by commas. */
  networks(name: string): string[] {
    const parts = (this.text(name) ?? '').split(',').map((part) => part.trim())
    const wrong = parts.find((part) => part !== '' && !isNetwork(part))
    if (wrong !== undefined)
      this.wrong(name, `must be addresses, separated by commas; "${wrong}" is not one`, '203.0.113.7,2001:db8::7')
    return parts.filter(Boolean)
  }

  /** Reads groups of two or more ids: commas separate ids, and semicolons separate groups. */
  groups(name: string, example: string): string[][] {
    const groups = (this.text(name) ?? '').split(';').map((group) => group.split(',').map((id) => id.trim()))
    const named = groups.map((ids) => ids.filter(Boolean)).filter((ids) => ids.length > 0)
    if (named.some((ids) => new Set(ids).size < 2 || ids.some((id) => /\s/.test(id))))
      this.wrong(
        name,
        'must be ids separated by commas, two or more in a group, and semicolons between groups',
        example,
      )
    return named
  }

  /**
   * Reads which proxies are trusted to report a caller's address: none (false), the nearest (true), or those at these
   * addresses and networks, separated by commas. Refuses a network that covers all addresses, because every caller
   * could then pretend to have any address.
   */
  proxies(name: string): boolean | string {
    const value = this.text(name)
    if (value === undefined || /^(0|1|true|false|yes|no|on|off)$/i.test(value)) return this.flag(name, false)
    const parts = value.split(',').map((part) => part.trim())
    const wrong = parts.find((part) => !isNetwork(part))
    if (wrong === undefined) return parts.join(',')
    const what = /\/0+$/.test(wrong)
      ? `trusts everybody with "${wrong}"; name your proxies, or true for the nearest one`
      : `must be true (the nearest proxy), false, or addresses of proxies, separated by commas; "${wrong}" is not one`
    this.wrong(name, what, '127.0.0.1,10.0.0.0/8')
    return false
  }

  /**
   * Reads the path of a file or folder. Refuses a path such as `~/data`, which only a shell expands: here it would
   * create a folder named `~`.
   */
  path(name: string): string | undefined {
    const path = this.text(name)
    if (path !== undefined) this.#refuseShellNotation(name, path, '/srv/satchel/…')
    return path
  }

  #refuseShellNotation(name: string, path: string, example: string): void {
    const [notation] = /^(~[\w-]*(?=\/|$)|\$\w+|\$\{\w+\})/.exec(path) ?? []
    if (notation === undefined) return
    this.wrong(name, `begins with ${notation}, which only a shell replaces: write the whole path`, example)
  }

  /** Reads where a book is. A server's address contains its password, so the variable with `_FILE` is accepted, too. */
  database(name: string, fallback: string): string {
    const value = this.#secretText(name, 'text') ?? fallback
    if (!isFile(value) && !isPostgres(value)) {
      const what =
        'must be a SQLite file, written as file: and a path, or the address of a PostgreSQL server, postgresql://…'
      this.wrong(name, what, fallback)
    }
    if (isFile(value) && value !== fallback) {
      this.#refuseShellNotation(name, value.slice('file:'.length), 'file:/srv/satchel/…')
    }
    return value
  }

  wrong(name: string, what: string, example: string): void {
    this.#problem(`${name} ${what}. Example: ${name}=${example}`)
  }

  /** Records a problem unless it is already recorded, because a variable may be read twice. */
  #problem(problem: string): void {
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }
}

/** Whether a text is an IP address, or a network such as 10.0.0.0/8 that does not cover all addresses. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits)
}
