/** A choice for a question, shown as a button. It gives an answer that could also be typed. */
export interface Choice {
  /** The answer that this choice gives. */
  readonly value: string
  readonly label: string
}

/** A person at a terminal, or at the set-up page. */
export interface Prompter {
  say(text: string): void
  /** Shows a code to scan, and its text. */
  show(code: string): void
  /** A step begins. If it has begun before, the person went back, and what was said since then counts no more. */
  step?(number: number): void
  /**
   * Asks a question. Resolves to the answer without surrounding white space; empty if there is none. Rejects when
   * nobody can answer any more.
   */
  ask(question: string, how?: HowToAsk): Promise<string>
}

export interface HowToAsk {
  /** Whether typed text is hidden. */
  readonly hidden?: boolean
  /** The possible answers. */
  readonly choices?: readonly Choice[]
  /** Replaces the question where the choices are buttons. */
  readonly title?: string
  /**
   * Whether it is the question of how to continue after a fault. Such a question has its own ways out, and its answer
   * is not offered again.
   */
  readonly isAside?: true
  /** Whether the answer "back" leads to the previous question. */
  readonly mayGoBack?: boolean
  /** What the person answered before they went back. */
  readonly earlier?: string
}
