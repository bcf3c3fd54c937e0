import { createHash } from 'node:crypto'
import { type Config, ConfigProblem, invisibleIn, parseConfig, readEnvFile, readEnvText } from '../../config/config.ts'
import { token } from '../../lib/entropy.ts'
import { Problem } from '../../lib/problem.ts'
import type { SettingsAdministration, SettingsChange } from '../../web/web-server.ts'
import type { Runtime } from '../runtime.ts'
import type { Variables } from '../set-up/ask-node.ts'
import { writeEnvFile } from '../set-up/env-file.ts'
import type { SettingQuestion } from '../set-up/questions.ts'
import { asChoice, lockOf, needsTwo, questionsOf, type Stored, showSettings, twinOf } from './show-settings.ts'
import { type ChangedSettings, type LiveChecks, tryChange } from './try-change.ts'

export interface SettingsParts extends LiveChecks {
  /** The settings file. */
  readonly file: string
  readonly environment: Variables
  readonly runtime: Pick<Runtime, 'clock' | 'entropy'>
}

const MAX_LENGTH = 1_000
const MOVED =
  'The settings file was changed meanwhile, by hand or by another operator, so nothing was written. What you filled in is still here, except for secrets. Compare it, and send it again'

/**
 * What the console shows and changes of the settings. What the environment sets is never changed, nor what the books belong to. A change is
 * tried as set-up tries it, and counts from the next start on.
 */
export function createSettings(parts: SettingsParts): SettingsAdministration {
  const salt = token(parts.runtime.entropy)
  const atStart = storedOrNothing(parts)
  const look = (): Stored => {
    const text = inWords(() => readEnvText(parts.file)) ?? ''
    const version = createHash('sha256').update(salt).update(text).digest('base64url')
    return { file: parts.file, environment: parts.environment, stored: inWords(() => readEnvFile(parts.file)), version }
  }
  return {
    read: () => showSettings(look(), atStart),
    async change(change) {
      const before = look()
      const mustBe = ({ version }: Stored) => {
        if (version !== change.version) throw new Problem(`${MOVED}.`)
      }
      mustBe(before)
      const changed = changesOf(change, before)
      const notes = await tryChange(changed, parts)
      // Somebody else may have been quicker while it was tried.
      mustBe(look())
      inWords(() => writeEnvFile(parts.file, changed.written, parts.runtime.clock))
      return { changed: changed.questions.map((question) => described(question, changed.written)), notes }
    },
  }
}

/** What a form changes, in words that are right for the next start. Throws Problem. */
function changesOf({ values }: SettingsChange, before: Stored): ChangedSettings {
  const questions = questionsOf(before)
  const changed = Object.entries(values).flatMap(([name, value]) => {
    const question = questions.find((each) => each.name === name)
    if (question === undefined) throw new Problem(`${name} is not changed in the console. Open the settings again.`)
    const typed = mustBePlain(name, value)
    if (isAsBefore(question, typed, before)) return []
    mustBeFree(question, before)
    return [{ question, value: typed || undefined }]
  })
  if (changed.length === 0) throw new Problem('Everything is set like that already. Change a field first.')
  const written = Object.fromEntries(
    changed.flatMap(({ question: { name }, value }) => [
      // Of a secret and its file only one may be set.
      ...(twinOf(name) === undefined ? [] : [[twinOf(name), undefined]]),
      [name, value],
    ]),
  )
  return {
    questions: changed.map(({ question }) => question),
    written,
    config: nextConfig({ ...before.stored, ...written, ...before.environment }),
  }
}

function mustBePlain(name: string, value: string): string {
  const typed = value.trim()
  const invisible = invisibleIn(typed)
  if (invisible !== undefined)
    throw new Problem(`${name} has an invisible character (${invisible}). Type its value again, on one line.`)
  if (typed.length > MAX_LENGTH)
    throw new Problem(`${name} is longer than ${MAX_LENGTH} characters. Check what was pasted, and shorten it.`)
  return typed
}

/** An empty secret stays as it is: nobody sees what it was. */
function isAsBefore(question: SettingQuestion, typed: string, { stored, environment }: Stored): boolean {
  if (question.hidden === true && typed === '') return true
  const value = environment[question.name] ?? stored[question.name] ?? ''
  return typed === value || (question.choices !== undefined && typed === asChoice(question, value))
}

function mustBeFree(question: SettingQuestion, before: Stored): void {
  const { name } = question
  const locking = lockOf(name, before.environment)
  if (locking !== undefined)
    throw new Problem(`${locking} is set in the environment, which wins over the settings file. Change it there.`)
  if (needsTwo(name)) throw new Problem(`With ${name} one operator alone could take sats. Change it with set-up.`)
}

/** What the next start will read. Throws Problem where it could not start with it. */
function nextConfig(variables: Variables): Config {
  const config = inWords(() => parseConfig(variables))
  if (config.discord !== undefined) return config
  throw new Problem(
    'The settings have no DISCORD_TOKEN, so the next start would not speak to Discord. If the settings file was cut, put the newest file beside it whose name has “.before-” in its place.',
  )
}

/** For the operators and the log. */
function described({ name, hidden }: SettingQuestion, written: Variables): string {
  if (hidden === true) return `${name} (a secret)`
  return written[name] === undefined ? `${name}, which is unset now` : `${name}, which is “${written[name]}” now`
}

function storedOrNothing({ file }: SettingsParts): Variables {
  try {
    return readEnvFile(file)
  } catch (error) {
    if (error instanceof ConfigProblem) return {}
    throw error
  }
}

/** The same, where what is wrong is told in one line, for a page. */
function inWords<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error
    throw new Problem(error.problems.join(' '), { cause: error })
  }
}
