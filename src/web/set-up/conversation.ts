/** A choice that a person can press instead of typing. */
export interface Choice {
  /** The answer that this choice gives. */
  readonly value: string
  readonly label: string
}

/** Something that was said: a text, a code to scan, or what the person answered. */
export interface Said {
  readonly kind: 'text' | 'code' | 'answer'
  readonly text: string
}

export interface Question {
  readonly number: number
  readonly text: string
  /** Whether what is typed is shown nowhere. */
  readonly hidden: boolean
  readonly choices: readonly Choice[]
  /** Heading of the choices. */
  readonly title: string
}

/** The next step after a halt: answer the questions again, or, once they are settled, start again. */
export type Onward = 'questions' | 'start'

/** Why it came to a halt, in words for the person, and what they may do then. */
export interface Halt {
  readonly problem: string
  readonly onward: readonly Onward[]
}

/** How a conversation stands, for a page that draws it. */
export interface ConversationView {
  /** Grows with everything that happens. */
  readonly version: number
  readonly said: readonly Said[]
  /** Undefined while something is being checked, and at the end. */
  readonly question: Question | undefined
  readonly halt: Halt | undefined
  /** `settled`: the person may start what was set up. */
  readonly end: 'settled' | 'starting' | undefined
}

/**
 * A conversation that a page draws: set-up says and asks, and the person at the page answers. It has one question at a time, and
 * forgets nothing when the page is closed and opened again. A hidden answer is in no view.
 */
export class Conversation {
  #version = 0
  #questions = 0
  #said: Said[] = []
  #question: (Question & { readonly resolve: (answer: string) => void }) | undefined
  #halt: (Halt & { readonly resolve: (onward: Onward) => void }) | undefined
  #end: 'settled' | 'starting' | undefined
  #changed = Promise.withResolvers<void>()
  #start = Promise.withResolvers<void>()

  say(text: string): void {
    this.#add({ kind: 'text', text })
  }

  show(code: string): void {
    this.#add({ kind: 'code', text: code })
  }

  /** Resolves to the answer. A question that nobody has answered is replaced by the next one. */
  async ask(text: string, { hidden = false, choices = [], title = '' }: Partial<Question> = {}): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>()
    this.#questions += 1
    this.#question = { number: this.#questions, text, hidden, choices, title, resolve }
    this.#change()
    return await promise
  }

  /** Whether that question was still open: a second tab may have answered it. */
  answer(number: number, text: string): boolean {
    const question = this.#question
    if (question?.number !== number) return false
    this.#question = undefined
    const label = question.choices.find(({ value }) => value === text)?.label
    this.#add({ kind: 'answer', text: question.hidden ? '••••••' : (label ?? text) })
    question.resolve(text)
    return true
  }

  /** It cannot go on before a person has mended something. Resolves to what they do then; what was said is forgotten with the questions. */
  async halt(problem: string, onward: readonly Onward[]): Promise<Onward> {
    const { promise, resolve } = Promise.withResolvers<Onward>()
    this.#halt = { problem, onward, resolve }
    this.#question = undefined
    this.#end = undefined
    this.#change()
    return await promise
  }

  /** Ends a halt. Nothing happens where there is none, or where that is not possible. */
  goOn(onward: Onward): void {
    const halt = this.#halt
    if (!halt?.onward.includes(onward)) return
    this.#halt = undefined
    if (onward === 'questions') this.#said = []
    this.#change()
    halt.resolve(onward)
  }

  /** Everything is settled. Resolves when the person wants it to start. */
  async settled(): Promise<void> {
    this.#end = 'settled'
    this.#start = Promise.withResolvers()
    this.#change()
    await this.#start.promise
  }

  /** The person wants it to start. Nothing happens before everything is settled. */
  start(): void {
    if (this.#end !== 'settled') return
    this.#end = 'starting'
    this.#change()
    this.#start.resolve()
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

  /** Resolves when it waits for a person: at once, or when what is being checked has come to something. */
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
