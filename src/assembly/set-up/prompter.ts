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
  /**
   * Asks a question. Resolves to the answer without surrounding white space; empty if there is none. Rejects when
   * nobody can answer any more. `hidden`: does not show typed text. `choices`: the possible answers; `title` then
   * replaces the question.
   */
  ask(
    question: string,
    how?: { readonly hidden?: boolean; readonly choices?: readonly Choice[]; readonly title?: string },
  ): Promise<string>
}
