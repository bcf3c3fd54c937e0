/** Thrown for an action that Discord's client would refuse. The message is the client's. */
export class NotPossible extends Error {
  /** The name of the faulty option or field; null if the fault concerns the action as a whole. */
  readonly field: string | null

  constructor(message: string, field: string | null = null) {
    super(message)
    this.name = 'NotPossible'
    this.field = field
  }
}
