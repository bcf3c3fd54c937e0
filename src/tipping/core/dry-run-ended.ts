/**
 * A verb came to the point of writing, or of asking the provider: as far as reading tells, nothing stands against it.
 */
export class DryRunEnded extends Error {
  override name = 'DryRunEnded'
  /** It would first ask the person who gives. */
  readonly asksFirst: boolean

  constructor(asksFirst = false) {
    super('this was only a dry run')
    this.asksFirst = asksFirst
  }
}
