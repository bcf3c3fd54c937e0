/** A button that answers a question. The person could also type the same answer. */
export interface Choice {
  /** The answer for which this choice stands. */
  readonly value: string
  readonly label: string
}

/** Talks with a person at a terminal or on the set-up page. */
export interface Prompter {
  say(text: string): void
  /** Shows a code as a QR code and as text. */
  show(code: string): void
  /**
   * Notes that a step begins. If the same step began earlier, the person has gone back, and what was said since that
   * beginning is void.
   */
  step?(number: number): void
  /**
   * Asks a question. Resolves to the answer without surrounding white space; empty if the person typed none. Rejects if
   * nobody can answer any more.
   */
  ask(question: string, how?: HowToAsk): Promise<string>
}

export interface HowToAsk {
  /** Whether typed text is hidden. */
  readonly hidden?: boolean
  /** The possible answers. */
  readonly choices?: readonly Choice[]
  /** The text that replaces the question where the choices are buttons. */
  readonly title?: string
  /**
   * Whether the question asks how to continue after a fault. Such a question has its own ways to go back, and its
   * answer is not offered again.
   */
  readonly isAside?: true
  /** Whether the answer "back" leads to the previous question. */
  readonly mayGoBack?: boolean
  /** What the person answered to this question before they went back. */
  readonly earlier?: string
}
