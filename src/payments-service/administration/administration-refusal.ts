/** A request of the operator that fails; `message` says what is wrong and what to do. */
export class AdministrationRefusal extends Error {
  override name = 'AdministrationRefusal'
}
