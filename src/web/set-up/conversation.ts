/** A choice that a person can press instead of typing. */
export interface Choice {
  /** The answer that this choice stands for. */
  readonly value: string
  readonly label: string
}

/** A part of the conversation: a text, a code to scan, or the person's answer. */
export interface Said {
  readonly kind: 'text' | 'code' | 'answer'
  readonly text: string
}

export interface Question {
  readonly number: number
  readonly text: string
  /** Whether the page hides what the person types. */
  readonly hidden: boolean
  readonly choices: readonly Choice[]
  /** The heading of the choices. */
  readonly title: string
  /** Whether the person can return to the previous question. */
  readonly mayGoBack: boolean
  /** The earlier answer, which the person can change; empty if there is none, or if it is a secret. */
  readonly earlier: string
}

/** What follows a halt: the person answers the questions again or, if they are settled, Satchel starts again. */
export type Onward = 'questions' | 'start'

/** Why the conversation came to a halt, in words for the person, and what they may do next. */
export interface Halt {
  readonly problem: string
  readonly onward: readonly Onward[]
}

/** The conversation's state, for a page that draws it. */
export interface ConversationView {
  /** A number that grows with every change. */
  readonly version: number
  readonly said: readonly Said[]
  /** The open question; undefined during a check, and at the end. */
  readonly question: Question | undefined
  readonly halt: Halt | undefined
  /** How far the end is. With `settled`, the person may start what was set up. */
  readonly end: 'settled' | 'starting' | undefined
}

/**
 * A conversation that a page draws: set-up speaks and asks, and the person at the page answers. It has one question at
 * a time, and keeps everything when the page is closed and opened again. No view contains a hidden answer.
 */
export class Conversation {
  #version = 0
  #questions = 0
  #said: Said[] = []
  /** How many texts had been said when each step began. */
  readonly #steps = new Map<number, number>()
  #question: (Question & { readonly resolve: (answer: string) => void }) | undefined
  #halt: (Halt & { readonly resolve: (onward: Onward) => void }) | undefined
  #end: 'settled' | 'starting' | undefined
  #changed = Promise.withResolvers<void>()
  #onward = Promise.withResolvers<Onward>()

  say(text: string): void {
    this.#add({ kind: 'text', text })
  }

  show(code: string): void {
    this.#add({ kind: 'code', text: code })
  }

  /** Begins a step. When a person returns to it, the page forgets what has been said since then. */
  step(number: number): void {
    const begins = this.#steps.get(number) ?? this.#said.length
    this.#steps.set(number, begins)
    // Later steps may begin elsewhere this time.
    for (const later of this.#steps.keys()) if (later > number) this.#steps.delete(later)
    this.#said = this.#said.slice(0, begins)
    this.#change()
  }

  /** Asks a question, and resolves to the answer. The next question replaces a question that nobody has answered. */
  async ask(text: string, how: Partial<Question> = {}): Promise<string> {
    const { hidden = false, choices = [], title = '', mayGoBack = false, earlier = '' } = how
    const { promise, resolve } = Promise.withResolvers<string>()
    this.#questions += 1
    this.#question = { number: this.#questions, text, hidden, choices, title, mayGoBack, earlier, resolve }
    this.#change()
    return await promise
  }

  /** Answers a question. Returns whether the question was still open; a second tab may have answered it. */
  answer(number: number, text: string): boolean {
    const question = this.#question
    if (question?.number !== number) return false
    this.#question = undefined
    const label = question.choices.find(({ value }) => value === text)?.label
    this.#add({ kind: 'answer', text: question.hidden && text !== '' ? '••••••' : (label ?? text) })
    question.resolve(text)
    return true
  }

  /**
   * Halts the conversation until a person has fixed a problem. Resolves to their next step. The earlier texts are
   * forgotten with the questions.
   */
  async halt(problem: string, onward: readonly Onward[]): Promise<Onward> {
    const { promise, resolve } = Promise.withResolvers<Onward>()
    this.#halt = { problem, onward, resolve }
    this.#question = undefined
    this.#end = undefined
    this.#change()
    return await promise
  }

  /** Ends a halt, or returns from the end to the questions. Does nothing if that step is not possible. */
  goOn(onward: Onward): void {
    const halt = this.#halt
    const isPossible = halt?.onward.includes(onward) ?? (this.#end === 'settled' && onward === 'questions')
    if (!isPossible) return
    this.#halt = undefined
    if (onward === 'questions') this.#forget()
    this.#change()
    const { resolve } = halt ?? this.#onward
    resolve(onward)
  }

  #forget(): void {
    this.#end = undefined
    this.#said = []
    this.#steps.clear()
  }

  /** Marks everything as settled. Resolves when the person wants to start, or to change an answer. */
  async settled(): Promise<Onward> {
    this.#end = 'settled'
    this.#onward = Promise.withResolvers()
    this.#change()
    return await this.#onward.promise
  }

  /** Notes that the person wants to start. Does nothing before everything is settled. */
  start(): void {
    if (this.#end !== 'settled') return
    this.#end = 'starting'
    this.#change()
    this.#onward.resolve('start')
  }

  view(): ConversationView {
    return {
      version: this.#version,
      said: [...this.#said],
      question: this.#question,
      halt: this.#halt && { problem: this.#halt.problem, onward: this.#halt.onward },
      end: this.#end,
    }
  }

  /** Resolves when the conversation waits for a person: at once, or after the check that is running. */
  async waits(): Promise<void> {
    while (this.#question === undefined && this.#halt === undefined && this.#end === undefined) {
      await this.#changed.promise
    }
  }

  #add(said: Said): void {
    this.#said.push(said)
    this.#change()
  }

  #change(): void {
    this.#version += 1
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
