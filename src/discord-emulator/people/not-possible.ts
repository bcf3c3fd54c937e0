/** An action that Discord's client would refuse, with its words. */
export class NotPossible extends Error {
  /** The option or field that is wrong; null when it is about the whole. */
  readonly field: string | null

  constructor(message: string, field: string | null = null) {
    super(message)
    this.name = 'NotPossible'
    this.field = field
  }
}
