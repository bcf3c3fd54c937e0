/** Somebody at a terminal. */
export interface Prompter {
  say(text: string): void
  /** The answer without surrounding white space; empty when there is none. Rejects when nobody answers any more. `hidden`: what is typed is shown nowhere. */
  ask(question: string, how?: { readonly hidden: boolean }): Promise<string>
}
