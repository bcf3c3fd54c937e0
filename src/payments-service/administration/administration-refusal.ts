/** An operator's request failed. `message` says what is wrong and what to do. */
export class AdministrationRefusal extends Error {
  override name = 'AdministrationRefusal'
}
