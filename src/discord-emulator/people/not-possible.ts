/** An action that Discord's client would refuse, with the client's words. */
export class NotPossible extends Error {
  /** The wrong option or field; null if the fault concerns the whole. */
  readonly field: string | null

  constructor(message: string, field: string | null = null) {
    super(message)
    this.name = 'NotPossible'
    this.field = field
  }
}
