import { createHash } from 'node:crypto'
import { type Config, ConfigProblem, invisibleIn, parseConfig, readEnvFile, readEnvText } from '../../config/config.ts'
import { token } from '../../lib/entropy.ts'
import { Problem } from '../../lib/problem.ts'
import { utcMinute } from '../../lib/utc-minute.ts'
import type { SettingsAdministration, SettingsChange, SettingsProposal } from '../../web/web-server.ts'
import type { Variables } from '../set-up/ask-node.ts'
import { writeEnvFile } from '../set-up/env-file.ts'
import type { SettingQuestion } from '../set-up/questions.ts'
import { type KeptProposal, ProposalFile } from './proposal-file.ts'
import { asChoice, lockOf, needsTwo, questionsOf, type Stored, showSettings, twinOf } from './show-settings.ts'
import { type ChangedSettings, type LiveChecks, tryChange } from './try-change.ts'

export interface SettingsParts extends LiveChecks {
  /** The settings file. */
  readonly file: string
  readonly environment: Variables
  /** Whether there is only one operator, who decides alone but with a delay. */
  readonly isAlone: boolean
  /** Whether the machine's clock is trusted. While it is not, no delay ends. */
  readonly believesClock: () => boolean
}

const MAX_LENGTH = 1_000
const MOVED =
  'The settings file was changed in the meantime, by hand or by another operator, so nothing was written. What you filled in is still here, except for secrets. Compare it with the changed settings, fill in the secrets again, and send the form again.'

/**
 * Creates the part of the console that shows the settings and changes them. It never changes the environment's
 * variables or the settings that are fixed by the books. It tests each change as set-up does. A change applies from the
 * next start. A change by which one operator could take sats waits for a second operator, or for a day.
 */
export function createSettings(parts: SettingsParts): SettingsAdministration {
  const { clock, entropy } = parts.runtime
  const salt = token(entropy)
  const atStart = storedOrNothing(parts)
  const proposals = new ProposalFile(parts.file, clock, parts.isAlone)
  const look = (): Stored => {
    const text = inWords(() => readEnvText(parts.file)) ?? ''
    const version = createHash('sha256').update(salt).update(text).digest('base64url')
    return { file: parts.file, environment: parts.environment, stored: inWords(() => readEnvFile(parts.file)), version }
  }
  /** Tests a change. `version` is the version of the settings that the operator has seen. */
  const tried = async (values: SettingsChange['values'], version: string, mayTake: Whose) => {
    const mustBe = (now: Stored) => {
      if (now.version !== version) throw new Problem(MOVED)
      return now
    }
    const changed = changesOf(values, mustBe(look()), mayTake)
    const notes = await tryChange(changed, parts, mayTake !== 'proposed')
    // Somebody else may have been faster during the test.
    mustBe(look())
    return { ...changed, notes }
  }
  const write = (written: Variables) => inWords(() => writeEnvFile(parts.file, written, clock))
  return {
    read() {
      const [now, kept] = [look(), proposals.read()]
      return { ...showSettings(now, atStart), proposal: kept && shownProposal(kept, now, proposals) }
    },
    async change({ values, version }) {
      const { written, notes, questions } = await tried(values, version, 'one')
      write(written)
      return { changed: describe(questions, written), notes }
    },
    async propose({ values, version, operator }) {
      const { written, notes, questions } = await tried(values, version, 'proposed')
      if (proposals.read() !== undefined)
        throw new Problem('Other settings are already waiting to be agreed to. Agree to them or cancel them first.')
      // Write only differences, so that another operator's changes meanwhile stay.
      const others = Object.fromEntries(questions.map(({ name }) => [name, written[name] ?? '']))
      proposals.write({ id: token(entropy), by: operator, at: clock.now(), values: others })
      return { changed: describe(questions, written), notes }
    },
    async agree({ proposal: id, operator }) {
      const kept = mustWait(proposals.read(), id)
      const from = proposals.from(kept)
      if (from === undefined && kept.by === operator)
        throw new Problem('You proposed these settings, so another operator has to agree.')
      if (from !== undefined && (clock.now() < from.getTime() || !parts.believesClock()))
        throw new Problem(
          `These settings can be written from ${utcMinute(from)} on, but only while the clock of this machine is trusted. Check the clock, and agree to the settings after that time.`,
        )
      const { written, notes, questions } = await tried(kept.values, look().version, 'agreed')
      // They may have been cancelled during the test.
      mustWait(proposals.read(), id)
      write(written)
      proposals.remove()
      return { changed: describe(questions, written), notes, by: kept.by }
    },
    cancel(id) {
      const kept = mustWait(proposals.read(), id)
      proposals.remove()
      return { by: kept.by }
    },
  }
}

/** How settings are changed: by one operator alone, as a proposal to a second operator, or by the agreement of both. */
type Whose = 'one' | 'proposed' | 'agreed'

function mustWait(kept: KeptProposal | undefined, id: string): KeptProposal {
  if (kept?.id === id) return kept
  throw new Problem(
    'These settings are no longer waiting: they were written or cancelled, or nobody agreed in time. Open the page again.',
  )
}

function shownProposal(kept: KeptProposal, now: Stored, proposals: ProposalFile): SettingsProposal {
  const { id, by, at, values } = kept
  const questions = questionsOf(now).filter(
    ({ name, hidden }) => values[name] !== undefined && !(hidden && values[name] === ''),
  )
  const changed = questions.filter((question) => !isAsBefore(question, values[question.name]?.trim() ?? '', now))
  const written = Object.fromEntries(changed.map(({ name }) => [name, values[name]?.trim() || undefined]))
  const dates = { at: new Date(at), from: proposals.from(kept), until: proposals.until(kept) }
  return { id, by, changes: describe(changed, written), ...dates }
}

/** Converts the values of a form to changed settings for the next start. Throws Problem if they cannot be used. */
function changesOf(values: SettingsChange['values'], before: Stored, mayTake: Whose): ChangedSettings {
  const questions = questionsOf(before)
  const changed = Object.entries(values).flatMap(([name, value]) => {
    const question = questions.find((each) => each.name === name)
    if (question === undefined) throw new Problem(`${name} cannot be changed in the console. Open the settings again.`)
    const typed = mustBePlain(name, value)
    if (isAsBefore(question, typed, before)) return []
    mustBeFree(question, before, mayTake)
    return [{ question, value: typed || undefined }]
  })
  if (changed.length === 0) throw new Problem('The settings already have these values. Change a field first.')
  const written = Object.fromEntries(
    changed.flatMap(({ question: { name }, value }) => [
      // Only one of a secret and its file may be set.
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
    throw new Problem(
      `${name} is longer than ${MAX_LENGTH} characters. Check the value that you pasted, and shorten it.`,
    )
  return typed
}

/**
 * Whether what was typed leaves the setting as it is. An empty secret counts as unchanged, because nobody sees its
 * value.
 */
function isAsBefore(question: SettingQuestion, typed: string, { stored, environment }: Stored): boolean {
  if (question.hidden === true && typed === '') return true
  const value = environment[question.name] ?? stored[question.name] ?? ''
  return typed === value || (question.choices !== undefined && typed === asChoice(question, value))
}

function mustBeFree({ name }: SettingQuestion, before: Stored, mayTake: Whose): void {
  const locking = lockOf(name, before.environment)
  if (locking !== undefined)
    throw new Problem(
      `${locking} is set in the environment, which takes precedence over the settings file. Change it in the environment.`,
    )
  if (mayTake === 'one' && needsTwo(name))
    throw new Problem(
      `By changing ${name}, one operator alone could take sats. Open the settings again, and propose the change there.`,
    )
}

/** Returns the configuration that the next start will read. Throws Problem if the bot could not start with it. */
function nextConfig(variables: Variables): Config {
  const config = inWords(() => parseConfig(variables))
  if (config.discord !== undefined) return config
  throw new Problem(
    'The settings have no DISCORD_TOKEN, so the bot could not connect to Discord after the next start. If the settings file was cut short, replace it with the newest file beside it whose name contains “.before-”.',
  )
}

/** Describes changes for operators, without secrets. */
function describe(questions: readonly SettingQuestion[], written: Variables): string[] {
  return questions.map(({ name, hidden }) => {
    if (hidden === true) return `${name}: a new secret`
    return written[name] === undefined ? `${name}: not set` : `${name}: “${written[name]}”`
  })
}

function storedOrNothing({ file }: SettingsParts): Variables {
  try {
    return readEnvFile(file)
  } catch (error) {
    if (error instanceof ConfigProblem) return {}
    throw error
  }
}

/** Does the work, and rethrows a ConfigProblem as a Problem with all faults in one line, for a page. */
function inWords<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error
    throw new Problem(error.problems.join(' '), { cause: error })
  }
}
