/** A verb reached the point of writing, or of asking the provider: as far as reading shows, it may proceed. */
export class DryRunEnded extends Error {
  override name = 'DryRunEnded'
  /** It would first ask the person who gives. */
  readonly asksFirst: boolean

  constructor(asksFirst = false) {
    super('this was only a dry run')
    this.asksFirst = asksFirst
  }
}
