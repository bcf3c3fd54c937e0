/**
 * Thrown when a verb reaches the point of writing, or of sending a request to the provider. As far as reading shows,
 * the verb would succeed.
 */
export class DryRunEnded extends Error {
  override name = 'DryRunEnded'
  /** Whether the verb would first ask the giver for a confirmation. */
  readonly asksFirst: boolean

  constructor(asksFirst = false) {
    super('this was only a dry run')
    this.asksFirst = asksFirst
  }
}
