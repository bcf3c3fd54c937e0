/** A request of the operator that cannot be met; `message` says what is wrong and what to do. */
export class AdministrationRefusal extends Error {
  override name = 'AdministrationRefusal'
}
