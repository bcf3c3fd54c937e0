import { VARIABLES } from '../../config/config.ts'
import type { Prompter } from './prompter.ts'

/** Earlier answers by question, secrets too. They live as long as set-up runs, and no page shows a secret. */
export type Answers = Map<string, string>

/** A part of set-up. It may be taken again, with other answers. */
export type Step = (prompter: Prompter) => Promise<void>

/** The answer that leads back. */
const BACK = 'back'

class WentBack extends Error {}

/**
 * Takes all steps. At each question after the first step a person may go back: to the beginning of the step, and from
 * there to the latest step before it that asked something. Every question that comes again offers its earlier answer,
 * so nobody enters anything twice.
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

/** The earlier answer stands in the field already, so somebody who types "back" may have typed it behind that answer. */
function isBack(typed: string, earlier = ''): boolean {
  const added = typed.startsWith(earlier) ? typed.slice(earlier.length) : typed
  return [typed, added].some((each) => each.trim().toLowerCase() === BACK)
}

/** Returns the value alone of an answer in the form of the settings file, `NAME=value`, in which faults show examples. */
function withoutName(typed: string): string {
  const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(typed) ?? []
  return VARIABLES.includes(name) ? value.trim() : typed
}

/** Offers an earlier secret without showing it. */
function withEarlierSecret(question: string, earlier: string | undefined): string {
  if (earlier === undefined || earlier === '') return question
  return question.replace(/(?: \([^)]*\))?: $/, ' (empty for the one that you gave): ')
}
