/** Somebody at a terminal. */
export interface Prompter {
  say(text: string): void
  /** The answer without surrounding white space; empty when there is none. Rejects when nobody answers any more. */
  ask(question: string): Promise<string>
}
