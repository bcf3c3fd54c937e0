import { VARIABLES } from '../../config/config.ts'
import type { Prompter } from './prompter.ts'

/** Earlier answers by question, including secrets. They exist only while set-up runs, and no page shows the secrets. */
export type Answers = Map<string, string>

/** A part of set-up. It can run again, with other answers. */
export type Step = (prompter: Prompter) => Promise<void>

/** The answer that leads back to the previous question. */
const BACK = 'back'

class WentBack extends Error {}

/**
 * Runs all steps. At each question after the first step, a person can go back: to the beginning of the step, and from
 * there to the last previous step that asked something. Each question that is asked again offers its earlier answer, so
 * that nobody has to enter anything twice.
 */
export async function takeSteps(prompter: Prompter, steps: readonly Step[], answers: Answers): Promise<void> {
  // A step that asks nothing would lead forward again at once.
  const asked: number[] = []
  for (let at = 0; at < steps.length; ) {
    prompter.step?.(at)
    const asking = new Asking(prompter, answers, asked.length > 0)
    try {
      await steps[at]?.(asking)
      if (asking.hasAsked) asked.push(at)
      at += 1
    } catch (error) {
      if (!(error instanceof WentBack)) throw error
      if (asking.isAtFirst) at = asked.pop() ?? at
    }
  }
}

/** Asks the questions of one step. */
class Asking implements Prompter {
  readonly #prompter: Prompter
  readonly #answers: Answers
  readonly #mayGoBack: boolean
  #first: string | undefined
  #latest: string | undefined

  constructor(prompter: Prompter, answers: Answers, mayGoBack: boolean) {
    this.#prompter = prompter
    this.#answers = answers
    this.#mayGoBack = mayGoBack
  }

  get hasAsked(): boolean {
    return this.#first !== undefined
  }

  /** Whether the latest question is the step's first one. */
  get isAtFirst(): boolean {
    return this.#latest === this.#first
  }

  say(text: string): void {
    this.#prompter.say(text)
  }

  show(code: string): void {
    this.#prompter.show(code)
  }

  async ask(question: string, how: Parameters<Prompter['ask']>[1] = {}): Promise<string> {
    if (how.isAside === true) return await this.#prompter.ask(question, how)
    // Somebody who is asked again at once gave a wrong answer, which is not worth offering.
    const earlier = question === this.#latest ? undefined : this.#answers.get(question)
    this.#first ??= question
    this.#latest = question
    const mayGoBack = this.#mayGoBack
    const typed = how.hidden
      ? await this.#prompter.ask(withEarlierSecret(question, earlier), { ...how, mayGoBack })
      : await this.#prompter.ask(question, { ...how, mayGoBack, ...(earlier !== undefined && { earlier }) })
    if (mayGoBack && isBack(typed, how.hidden ? undefined : earlier)) throw new WentBack()
    const answer = how.hidden && typed === '' ? (earlier ?? '') : withoutName(typed)
    this.#answers.set(question, answer)
    return answer
  }
}

/**
 * Whether the person typed "back". The field already contains the earlier answer, so they may have typed it after that
 * answer.
 */
function isBack(typed: string, earlier = ''): boolean {
  const added = typed.startsWith(earlier) ? typed.slice(earlier.length) : typed
  return [typed, added].some((each) => each.trim().toLowerCase() === BACK)
}

/**
 * Returns only the value of an answer that has the settings file's form `NAME=value`, in which error messages show
 * examples.
 */
function withoutName(typed: string): string {
  const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(typed) ?? []
  return VARIABLES.includes(name) ? value.trim() : typed
}

/** Returns the question with an offer to use the earlier secret, which is not shown. */
function withEarlierSecret(question: string, earlier: string | undefined): string {
  if (earlier === undefined || earlier === '') return question
  return question.replace(/(?: \([^)]*\))?: $/, ' (empty for the one that you gave): ')
}
