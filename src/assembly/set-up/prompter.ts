/** The buttons of a question, where it has some: each gives an answer that could be typed. */
export interface Choice {
  /** The answer that this choice gives. */
  readonly value: string
  readonly label: string
}

/** Somebody at a terminal, or at the page of set-up. */
export interface Prompter {
  say(text: string): void
  /** Shows a code to scan, and its text. */
  show(code: string): void
  /**
   * The answer without surrounding white space; empty when there is none. Rejects when nobody answers any more.
   * `hidden`: does not show typed text. `choices`: the possible answers; `title` then replaces the question.
   */
  ask(
    question: string,
    how?: { readonly hidden?: boolean; readonly choices?: readonly Choice[]; readonly title?: string },
  ): Promise<string>
}
