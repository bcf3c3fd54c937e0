/** The error of an operator's request that was not carried out. `message` says what is wrong and what to do. */
export class AdministrationRefusal extends Error {
  override name = 'AdministrationRefusal'
}
