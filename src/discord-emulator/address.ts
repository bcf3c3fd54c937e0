/** The emulator's addresses, which are valid once its port is known. */
export class Address {
  port = 0

  /** The API's address, without the version, for the client's option `rest.api`. */
  get restUrl(): string {
    return `http://127.0.0.1:${this.port}/api`
  }

  get cdnUrl(): string {
    return `http://127.0.0.1:${this.port}/cdn`
  }

  get gatewayUrl(): string {
    return `ws://127.0.0.1:${this.port}/gateway`
  }
}
