"""The client of the payments service: charges, payments, vouchers, and the wallet of a project. `npm run docs` makes this file from the OpenAPI document."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, TypedDict, Union

from .core import Answer, ApiClient, ApiFacts, Operation, StreamEvent


class Error(TypedDict, total=False):
    """The body of every answer that is not a success."""

    success: str
    # A sentence for people.
    message: str
    # A stable code; new codes may be added.
    code: str


class ProjectCharge(TypedDict, total=False):
    """The fields of a ProjectCharge in an answer."""

    # The id by which it is read.
    id: str
    # Always `msats`: millisatoshis.
    unit: str
    # The amount that the payer pays, in msats.
    amount: str
    status: str
    # What the payer sees.
    description: str
    # When the charge was created.
    createdAt: str
    # The charge cannot be paid after this.
    expiresAt: str
    # When it was paid; null until then.
    confirmedAt: Optional[str]
    # The caller's own metadata.
    internalId: str
    # The address to which updates are POSTed.
    callbackUrl: str
    invoice: Dict[str, Any]


class Charge(TypedDict, total=False):
    """The fields of a Charge in an answer."""

    # Always `msats`: millisatoshis.
    unit: str
    status: str
    # The amount that the payer pays, in msats.
    amount: str
    # When the charge was created.
    createdAt: str
    # The caller's own metadata.
    internalId: str
    # The address to which updates are POSTed.
    callbackUrl: str
    # Note visible to the recipient.
    description: str
    # BOLT11 invoice: what the QR code encodes.
    invoiceRequest: str
    # The charge cannot be paid after this.
    invoiceExpiresAt: str
    # The SHA-256 of the description, in hex, if the invoice contains only that.
    invoiceDescriptionHash: Optional[str]
    # Additive. The id by which the charge can be read.
    id: str


class ChargeRecord(TypedDict, total=False):
    """The fields of a ChargeRecord in an answer."""

    # Always `msats`: millisatoshis.
    unit: str
    status: str
    # The amount that the payer pays, in msats.
    amount: str
    # When the charge was created.
    createdAt: str
    # The caller's own metadata.
    internalId: str
    # The address to which updates are POSTed.
    callbackUrl: str
    # Note visible to the recipient.
    description: str
    # BOLT11 invoice: what the QR code encodes.
    invoiceRequest: str
    # The charge cannot be paid after this.
    invoiceExpiresAt: str
    # The SHA-256 of the description, in hex, if the invoice contains only that.
    invoiceDescriptionHash: Optional[str]
    # The id of the charge.
    id: str
    # When it was paid; null until then.
    confirmedAt: Optional[str]
    invoice: Dict[str, Any]


class DecodedCharge(TypedDict, total=False):
    """The fields of a DecodedCharge in an answer."""

    # In msats; "0" if the payer chooses the amount.
    amount: str
    # The invoice itself.
    lnRequest: str
    # The invoice cannot be paid after this.
    lnExpiresAt: str
    # `bitcoin`, `testnet`, `signet`, `regtest` or `simnet`.
    network: str
    # Empty if the invoice has none.
    description: str
    # Hex; empty if the invoice has none.
    descriptionHash: str
    # Hex.
    paymentHash: str
    # Hex.
    paymentSecret: str
    # Public key of the node that is paid, hex.
    payee: str
    # Hex.
    signature: str


class StaticCharge(TypedDict, total=False):
    """The fields of a StaticCharge in an answer."""

    # The id by which it is read and updated.
    id: str
    # Always `msats`: millisatoshis.
    unit: str
    # The number of payments accepted so far.
    slots: int
    # Smallest payment, in msats.
    minAmount: str
    # Largest payment, in msats.
    maxAmount: str
    # When it was created.
    createdAt: str
    # Null if it does not expire.
    expiresAt: Optional[str]
    # The caller's own metadata.
    internalId: str
    # Visible to the payer.
    description: str
    # The address to which updates are POSTed.
    callbackUrl: str
    # The number of payments after which it is disabled.
    allowedSlots: int
    # Shown to the payer after the payment has settled (LUD-09).
    successMessage: str
    status: str
    invoice: Dict[str, Any]


class ReadStaticCharge(TypedDict, total=False):
    """The fields of a ReadStaticCharge in an answer."""

    # The id by which it is read and updated.
    id: str
    # Always `msats`: millisatoshis.
    unit: str
    # The number of payments accepted so far.
    slots: int
    # Smallest payment, in msats.
    minAmount: str
    # Largest payment, in msats.
    maxAmount: str
    # When it was created.
    createdAt: str
    # Null if it does not expire.
    expiresAt: Optional[str]
    # The caller's own metadata.
    internalId: str
    # Visible to the payer.
    description: str
    # The address to which updates are POSTed.
    callbackUrl: str
    # The number of payments after which it is disabled.
    allowedSlots: int
    # Shown to the payer after the payment has settled (LUD-09).
    successMessage: str
    status: str
    invoice: Dict[str, Any]
    # Additive: a BOLT12 offer (`lno1…`) with which the same wallet can be paid any amounts, any number of
    # times. Only if slots are not limited, and the Lightning node can be paid through offers.
    offer: str


class WithdrawalRequest(TypedDict, total=False):
    """The fields of a WithdrawalRequest in an answer."""

    # The id by which it is read.
    id: str
    # Always `msats`: millisatoshis.
    unit: str
    # The amount that the claimer receives, in msats.
    amount: str
    # When it was created.
    createdAt: str
    # It cannot be claimed after this.
    expiresAt: str
    # The caller's own metadata.
    internalId: str
    # Visible to the claimer.
    description: str
    # The address to which updates are POSTed.
    callbackUrl: str
    status: str
    # What the payout cost, in msats; null until it is paid.
    fee: Optional[str]
    invoice: Dict[str, Any]


class Payment(TypedDict, total=False):
    """The fields of a Payment in an answer."""

    # The id by which it is read.
    id: str
    # What it cost, in msats; "0" until it is completed.
    fee: str
    # Always `msats`: millisatoshis.
    unit: str
    # The amount that the payee receives, in msats.
    amount: str
    # The invoice that is paid.
    invoice: str
    # Proof of payment, hex; null until it is completed, and for an invoice of this service whose node
    # does not reveal it.
    preimage: Optional[str]
    # The caller's own metadata.
    internalId: str
    status: str
    # When it was accepted.
    processedAt: str
    # When it settled; null until then.
    confirmedAt: Optional[str]
    # The caller's note.
    description: str
    failure: Dict[str, Any]


class OfferInvoice(TypedDict, total=False):
    """The fields of a OfferInvoice in an answer."""

    # The invoice, to be paid with Send Payment.
    invoice: str
    # The hash by which the payment is known, in hex.
    paymentHash: str
    # The amount that the payee receives, in msats.
    amount: str
    # The network that it is for.
    network: str
    # What the offer is for; may be empty.
    description: str
    # When it can no longer be paid.
    expiresAt: str


class Keysend(TypedDict, total=False):
    """The fields of a Keysend in an answer."""

    # The id of the keysend.
    keysendId: str
    # The id of the payment behind it.
    paymentId: str
    transaction: Dict[str, Any]


class GamertagPayment(TypedDict, total=False):
    """The fields of a GamertagPayment in an answer."""

    # The id of the payment.
    id: str
    status: str
    # The id by which Get Payment (gamertag) reads it.
    transactionId: str
    # The user id of the recipient.
    receiverId: str
    # In msats.
    amount: str
    # The description of the request.
    comment: str
    # When it settled.
    settledAt: str


class GamertagTransaction(TypedDict, total=False):
    """The fields of a GamertagTransaction in an answer."""

    # The id of the transaction.
    id: str
    # The user id of the recipient.
    receiverId: str
    # In msats.
    amount: str
    # In msats.
    fee: str
    # Always `msats`: millisatoshis.
    unit: str
    # When it was accepted.
    processedAt: str
    # When it settled.
    confirmedAt: str
    # The description of the request.
    comment: str
    status: str


class Transfer(TypedDict, total=False):
    """The fields of a Transfer in an answer."""

    # The id of the transfer; List Transactions of both projects has it as `resourceId`.
    id: str
    # The wallet that paid: the id of its project.
    senderWalletId: str
    # The wallet that was paid: the id of its project.
    receiverWalletId: str
    # The project whose key made the transfer.
    userId: str
    # The transaction of the sender: the id of the transfer.
    sendTxId: str
    # The transaction of the receiver: the id of the transfer.
    receiveTxId: str
    status: str
    # In msats.
    amount: str
    # When it settled.
    createdAt: str
    # The same time, because a transfer never changes.
    updatedAt: str


class LightningAddress(TypedDict, total=False):
    """The fields of a LightningAddress in an answer."""

    # Whether the address answers as a Lightning Address.
    valid: bool
    metadata: Dict[str, Any]


class AddressPayment(TypedDict, total=False):
    """The fields of a AddressPayment in an answer."""

    # The id by which Retrieve Payment reads it.
    id: str
    # What the payment cost, in msats; "0" until it is known.
    fee: str
    # Always `msats`: millisatoshis.
    unit: str
    # The amount that the receiver gets, in msats.
    amount: str
    # The invoice that the address returned.
    invoice: str
    # The proof of the payment, hex; null until it is paid.
    preimage: Optional[str]
    # The wallet that pays.
    walletId: str
    # The id of the payment.
    transactionId: str
    # The address to which the outcome is POSTed.
    callbackUrl: str
    # The caller's own metadata.
    internalId: str
    # The text that the receiver received.
    comment: str
    # When the payment was accepted.
    processedAt: str
    # The same time as `processedAt`.
    createdAt: str
    status: str


class CreatedVoucher(TypedDict, total=False):
    """The fields of a CreatedVoucher in an answer."""

    # The amount that the redeemer receives, in msats.
    amount: str
    # 8-character code; single use.
    code: str
    # When it was created.
    createdAt: str
    # Empty if there is none.
    description: str
    # When it expires, if nobody has redeemed it; null if it never expires.
    expiresAt: Optional[str]
    # The id by which it is read.
    id: str
    # Always `msats`: millisatoshis.
    unit: str
    # The debit at creation.
    createTransactionId: str
    # The project wallet.
    walletId: str
    withdraw: Dict[str, Any]
    # The cost of its creation, in msats.
    fee: str


class VoucherBatch(TypedDict, total=False):
    """The fields of a VoucherBatch in an answer."""

    # The debit at creation.
    createTransactionId: str
    # The project wallet.
    walletId: str
    # Always `msats`: millisatoshis.
    unit: str
    # The number of vouchers.
    count: int
    # The amount that the redeemer of each voucher receives, in msats.
    amount: str
    # The cost of creating all of them, in msats.
    fee: str
    # The debit of the wallet, in msats: all amounts and the fee.
    total: str
    # Empty if there is none.
    description: str
    # When they were created.
    createdAt: str
    # When they expire, unless somebody has redeemed them; null if they never expire.
    expiresAt: Optional[str]
    # The codes, each with the id by which it is read.
    vouchers: List[Dict[str, Any]]


class Voucher(TypedDict, total=False):
    """The fields of a Voucher in an answer."""

    # The amount that the redeemer receives, in msats.
    amount: str
    # 8-character code; single use.
    code: str
    # When it was created.
    createdAt: str
    # Empty if there is none.
    description: str
    # When it expires, if nobody has redeemed it; null if it never expires.
    expiresAt: Optional[str]
    # The id by which it is read.
    id: str
    # Always `msats`: millisatoshis.
    unit: str
    # The debit at creation.
    createTransactionId: str
    # The project wallet.
    walletId: str
    # Null until redeemed.
    redeemedAt: Optional[str]
    # Who redeemed it; null until redeemed.
    redeemedById: Optional[str]
    # The credit of the redeemer; null until redeemed.
    redeemedTransactionId: Optional[str]
    # Null until revoked.
    revokedAt: Optional[str]
    # Who revoked it, or `expiry`; null until revoked.
    revokedById: Optional[str]
    # The credit of the project; null until revoked.
    revokedTransactionId: Optional[str]
    withdraw: Dict[str, Any]
    # When it last changed; null if never.
    updatedAt: Optional[str]


class EndedVoucher(TypedDict, total=False):
    """The fields of a EndedVoucher in an answer."""

    # The amount that the redeemer receives, in msats.
    amount: str
    # 8-character code; single use.
    code: str
    # When it was created.
    createdAt: str
    # Empty if there is none.
    description: str
    # When it expires, if nobody has redeemed it; null if it never expires.
    expiresAt: Optional[str]
    # The id by which it is read.
    id: str
    # Always `msats`: millisatoshis.
    unit: str
    # Null until redeemed.
    redeemedAt: Optional[str]
    # Who redeemed it; null until redeemed.
    redeemedById: Optional[str]
    # The credit of the redeemer; null until redeemed.
    redeemedTransactionId: Optional[str]
    # Null until revoked.
    revokedAt: Optional[str]
    # Who revoked it, or `expiry`; null until revoked.
    revokedById: Optional[str]
    # The credit of the project; null until revoked.
    revokedTransactionId: Optional[str]


class ProjectUser(TypedDict, total=False):
    """The fields of a ProjectUser in an answer."""

    # The immutable id of the user.
    id: str
    # The gamertag that the user has now.
    gamertag: str
    # Whether this call opened the user.
    created: bool


class SignInLink(TypedDict, total=False):
    """The fields of a SignInLink in an answer."""

    # The address of the link.
    url: str
    # When it can no longer be opened.
    expiresAt: str


class ProvenUser(TypedDict, total=False):
    """The fields of a ProvenUser in an answer."""

    # The immutable id of the user.
    id: str
    # The gamertag as its user writes it.
    gamertag: str


class Wallet(TypedDict, total=False):
    """The fields of a Wallet in an answer."""

    # Always `msats`: millisatoshis.
    unit: str
    # The spendable balance, in msats.
    balance: str
    # Additive: the network of the Lightning node. Absent until the node has been reached for the first
    # time.
    network: str
    node: Dict[str, Any]


class Region(TypedDict, total=False):
    """The fields of a Region in an answer."""

    # The address in the request.
    ipAddress: str
    # Whether the service is offered in this region.
    isSupported: bool
    # ISO 3166-1 country code.
    ipCountry: str
    # ISO 3166-2 subdivision code; empty if it is not known.
    ipRegion: str


class UserProfile(TypedDict, total=False):
    """The fields of a UserProfile in an answer."""

    # The immutable id of the user.
    id: str
    # The gamertag that the user has now. It may change: identify users by their id.
    gamertag: str
    # Always null: the service knows none.
    email: Optional[str]
    # Always null: the service has none.
    image: Optional[str]
    # Always false: the service checks nobody's identity.
    isVerified: bool
    # The Lightning Address at which anybody can pay the user.
    lightningAddress: str
    # Always empty.
    publicBio: str
    # The same address as an LNURL code.
    publicStaticCharge: str


class UserWallet(TypedDict, total=False):
    """The fields of a UserWallet in an answer."""

    # The spendable balance of the user, in msats.
    balance: str
    remainingAmountLimits: Dict[str, Any]


class LogInError(TypedDict, total=False):
    """An error of the token endpoint: OAuth 2 and the error shape in one."""

    error: str
    # A sentence for people.
    error_description: str
    success: str
    # The same sentence as `error_description`.
    message: str
    # The code of the error: the same word as `error`, or a code of the interface.
    code: str


class SignedEvent(TypedDict, total=False):
    """The fields of a SignedEvent in an answer."""

    # The id of the event, and the `webhook-id` of the callback of the same event.
    id: str
    # When it happened.
    createdAt: str
    # The `webhook-timestamp`: when the event was sent here, in seconds since 1970.
    timestamp: str
    # The `webhook-signature` over `{id}.{timestamp}.{body}`.
    signature: str
    # The body of the callback, as text. Check the signature of this text before you parse it.
    body: str


class StaticChargeCallback(TypedDict, total=False):
    """The fields of a StaticChargeCallback in an answer."""

    # The id by which it is read and updated.
    id: str
    # Always `msats`: millisatoshis.
    unit: str
    # The number of payments accepted so far.
    slots: int
    # Smallest payment, in msats.
    minAmount: str
    # Largest payment, in msats.
    maxAmount: str
    # When it was created.
    createdAt: str
    # Null if it does not expire.
    expiresAt: Optional[str]
    # The caller's own metadata.
    internalId: str
    # Visible to the payer.
    description: str
    # The address to which updates are POSTed.
    callbackUrl: str
    # The number of payments after which it is disabled.
    allowedSlots: int
    # Shown to the payer after the payment has settled (LUD-09).
    successMessage: str
    status: str
    invoice: Dict[str, Any]
    payment: Dict[str, Any]


class KeysendCallback(TypedDict, total=False):
    """The fields of a KeysendCallback in an answer."""

    # The id of the keysend.
    keysendId: str
    # The id of the payment behind it.
    paymentId: str
    transaction: Dict[str, Any]
    # As sent in the request; empty if none was sent.
    metadata: Dict[str, Any]
    # As sent in the request; empty if none were sent.
    tlvRecords: List[Dict[str, Any]]


class ListStaticChargePaymentsAnswer(TypedDict, total=False):
    """The fields of a ListStaticChargePaymentsAnswer in an answer."""

    # The oldest first.
    payments: List[Dict[str, Any]]


class ChargeFromAddressAnswer(TypedDict, total=False):
    """The fields of a ChargeFromAddressAnswer in an answer."""

    # The address, as it was sent.
    lnaddress: str
    # In msats.
    amount: str
    invoice: Dict[str, Any]


class GetGamertagByUserIdAnswer(TypedDict, total=False):
    """The fields of a GetGamertagByUserIdAnswer in an answer."""

    # The gamertag that the user has now.
    gamertag: str


class GetIdByGamertagAnswer(TypedDict, total=False):
    """The fields of a GetIdByGamertagAnswer in an answer."""

    # The immutable id of the user.
    id: str


class ListTransactionsAnswer(TypedDict, total=False):
    """The fields of a ListTransactionsAnswer in an answer."""

    # The newest first.
    transactions: List[Dict[str, Any]]
    # The `after` of the next page; null at the end.
    next: Optional[str]


class GetCallbackAddressesAnswer(TypedDict, total=False):
    """The fields of a GetCallbackAddressesAnswer in an answer."""

    # May be empty.
    ips: List[str]


class GetPriceAnswer(TypedDict, total=False):
    """The fields of a GetPriceAnswer in an answer."""

    # Dollars for one bitcoin, a plain decimal.
    btcUsdPrice: str
    # The time of that state, in seconds since 1970.
    btcUsdTimestamp: str


_API = ApiFacts(header=("apikey", ""), has_envelope=True, proving_codes={"receiver_mismatch": 409, "voucher_redeemed": 409, "voucher_revoked": 409, "voucher_expired": 409, "voucher_being_claimed": 409, "identifier_taken": 409, "too_many_identifiers": 409, "nothing_sent": 503})

_OPERATIONS: Dict[str, Operation] = {
    "createCharge": Operation(name="createCharge", verb="POST", path="/v0/charges", host="base", idempotent=False, query=[], has_body=True, needs={"id": "there", "amount": "amount", "status": "there"}, amounts=["amount"]),
    "getCharge": Operation(name="getCharge", verb="GET", path="/v0/charges/{id}", host="base", idempotent=True, query=[], has_body=False, needs={"id": "there", "amount": "amount", "status": "there"}, amounts=[]),
    "createGamertagCharge": Operation(name="createGamertagCharge", verb="POST", path="/v0/gamertag/charges", host="alt", idempotent=False, query=[], has_body=True, needs={"status": "there", "amount": "amount", "invoiceRequest": "there"}, amounts=["amount"]),
    "getGamertagCharge": Operation(name="getGamertagCharge", verb="GET", path="/v0/gamertag/charges/{id}", host="alt", idempotent=True, query=[], has_body=False, needs={"status": "there", "amount": "amount", "invoiceRequest": "there"}, amounts=[]),
    "decodeCharge": Operation(name="decodeCharge", verb="POST", path="/v0/decode-invoice", host="base", idempotent=False, query=[], has_body=True, needs={"amount": "amount"}, amounts=[]),
    "createStaticCharge": Operation(name="createStaticCharge", verb="POST", path="/v0/static-charges", host="base", idempotent=False, query=[], has_body=True, needs={"id": "there", "minAmount": "amount", "maxAmount": "amount", "status": "there"}, amounts=["minAmount", "maxAmount"]),
    "updateStaticCharge": Operation(name="updateStaticCharge", verb="PATCH", path="/v0/static-charges/{id}", host="base", idempotent=False, query=[], has_body=True, needs={"id": "there", "minAmount": "amount", "maxAmount": "amount", "status": "there"}, amounts=["minAmount", "maxAmount"]),
    "getStaticCharge": Operation(name="getStaticCharge", verb="GET", path="/v0/static-charges/{id}", host="base", idempotent=True, query=[], has_body=False, needs={"id": "there", "minAmount": "amount", "maxAmount": "amount", "status": "there"}, amounts=[]),
    "listStaticChargePayments": Operation(name="listStaticChargePayments", verb="GET", path="/v0/static-charges/{id}/payments/{after}", host="base", idempotent=True, query=[], has_body=False, needs={}, amounts=[]),
    "createWithdrawalRequest": Operation(name="createWithdrawalRequest", verb="POST", path="/v0/withdrawal-requests", host="base", idempotent=False, query=[], has_body=True, needs={"id": "there", "amount": "amount", "status": "there"}, amounts=["amount", "maxFee"]),
    "retrieveWithdrawalRequest": Operation(name="retrieveWithdrawalRequest", verb="GET", path="/v0/withdrawal-requests/{id}", host="base", idempotent=True, query=[], has_body=False, needs={"id": "there", "amount": "amount", "status": "there"}, amounts=[]),
    "cancelWithdrawalRequest": Operation(name="cancelWithdrawalRequest", verb="POST", path="/v0/withdrawal-requests/{id}/cancel", host="base", idempotent=False, query=[], has_body=True, needs={"id": "there", "amount": "amount", "status": "there"}, amounts=[]),
    "sendPayment": Operation(name="sendPayment", verb="POST", path="/v0/payments", host="base", idempotent=False, query=[], has_body=True, needs={"id": "there", "fee": "amount", "amount": "amount", "status": "there"}, amounts=["amount", "maxFee"]),
    "retrievePayment": Operation(name="retrievePayment", verb="GET", path="/v0/payments/{id}", host="base", idempotent=True, query=[], has_body=False, needs={"id": "there", "fee": "amount", "amount": "amount", "status": "there"}, amounts=[]),
    "fetchOfferInvoice": Operation(name="fetchOfferInvoice", verb="POST", path="/v0/offer-invoices", host="base", idempotent=False, query=[], has_body=True, needs={"invoice": "there", "paymentHash": "there", "amount": "amount"}, amounts=["amount"]),
    "sendKeysendPayment": Operation(name="sendKeysendPayment", verb="POST", path="/v0/keysend-payment", host="base", idempotent=False, query=[], has_body=True, needs={"paymentId": "there"}, amounts=["amount", "maxFee"]),
    "payToGamertag": Operation(name="payToGamertag", verb="POST", path="/v0/gamertag/send-payment", host="alt", idempotent=False, query=[], has_body=True, needs={"status": "there", "amount": "amount"}, amounts=["amount"]),
    "getGamertagPayment": Operation(name="getGamertagPayment", verb="GET", path="/v0/gamertag/transaction/{id}", host="base", idempotent=True, query=[], has_body=False, needs={"amount": "amount", "fee": "amount", "status": "there"}, amounts=[]),
    "internalTransfer": Operation(name="internalTransfer", verb="POST", path="/v0/internal-transfer", host="base", idempotent=False, query=[], has_body=True, needs={"id": "there", "status": "there", "amount": "amount"}, amounts=["amount"]),
    "validateLightningAddress": Operation(name="validateLightningAddress", verb="GET", path="/v0/ln-address/validate/{address}", host="alt", idempotent=True, query=[], has_body=False, needs={}, amounts=[]),
    "payLightningAddress": Operation(name="payLightningAddress", verb="POST", path="/v0/ln-address/send-payment", host="base", idempotent=False, query=[], has_body=True, needs={"id": "there", "fee": "amount", "amount": "amount", "status": "there"}, amounts=["amount"]),
    "chargeFromAddress": Operation(name="chargeFromAddress", verb="POST", path="/v0/ln-address/fetch-charge", host="base", idempotent=False, query=[], has_body=True, needs={"amount": "amount"}, amounts=["amount"]),
    "createVoucher": Operation(name="createVoucher", verb="POST", path="/v1/create-voucher", host="base", idempotent=False, query=[], has_body=True, needs={"amount": "amount", "code": "there", "id": "there", "fee": "amount"}, amounts=["amount"]),
    "createVoucherBatch": Operation(name="createVoucherBatch", verb="POST", path="/v0/vouchers/batch", host="base", idempotent=False, query=[], has_body=True, needs={"amount": "amount", "fee": "amount", "total": "amount"}, amounts=["amount"]),
    "retrieveVoucher": Operation(name="retrieveVoucher", verb="GET", path="/v0/vouchers/{voucherId}", host="base", idempotent=True, query=[], has_body=False, needs={"amount": "amount", "code": "there", "id": "there"}, amounts=[]),
    "revokeVoucher": Operation(name="revokeVoucher", verb="POST", path="/v0/revoke-voucher", host="base", idempotent=False, query=[], has_body=True, needs={"amount": "amount", "code": "there", "id": "there"}, amounts=[]),
    "redeemVoucher": Operation(name="redeemVoucher", verb="POST", path="/v0/redeem-voucher", host="base", idempotent=False, query=[], has_body=True, needs={"amount": "amount", "code": "there", "id": "there"}, amounts=[]),
    "getGamertagByUserId": Operation(name="getGamertagByUserId", verb="GET", path="/v0/gamertag/user-id/{id}", host="base", idempotent=True, query=[], has_body=False, needs={"gamertag": "there"}, amounts=[]),
    "getIdByGamertag": Operation(name="getIdByGamertag", verb="GET", path="/v0/user-id/gamertag/{gamertag}", host="base", idempotent=True, query=[], has_body=False, needs={"id": "there"}, amounts=[]),
    "openUser": Operation(name="openUser", verb="POST", path="/v0/users", host="base", idempotent=False, query=[], has_body=True, needs={"id": "there", "gamertag": "there"}, amounts=[]),
    "createSignInLink": Operation(name="createSignInLink", verb="POST", path="/v0/users/{id}/sign-in-link", host="base", idempotent=False, query=[], has_body=True, needs={"url": "there"}, amounts=[]),
    "proveGamertag": Operation(name="proveGamertag", verb="POST", path="/v0/gamertag/prove", host="base", idempotent=False, query=[], has_body=True, needs={"id": "there", "gamertag": "there"}, amounts=[]),
    "getWallet": Operation(name="getWallet", verb="GET", path="/v0/wallet", host="base", idempotent=True, query=[], has_body=False, needs={"balance": "amount"}, amounts=[]),
    "listTransactions": Operation(name="listTransactions", verb="GET", path="/v0/transactions", host="base", idempotent=True, query=["after", "limit", "type", "from", "to"], has_body=False, needs={}, amounts=[]),
    "apiSupportedRegions": Operation(name="apiSupportedRegions", verb="GET", path="/v0/is-supported-region/{ipAddress}", host="base", idempotent=True, query=[], has_body=False, needs={}, amounts=[]),
    "getCallbackAddresses": Operation(name="getCallbackAddresses", verb="GET", path="/v0/prod-ips", host="base", idempotent=True, query=[], has_body=False, needs={}, amounts=[]),
    "getPrice": Operation(name="getPrice", verb="GET", path="/v0/btcusd", host="base", idempotent=True, query=[], has_body=False, needs={"btcUsdPrice": "there", "btcUsdTimestamp": "there"}, amounts=[]),
    "getUserProfile": Operation(name="getUserProfile", verb="GET", path="/v1/oauth2/user", host="base", idempotent=True, query=[], has_body=False, needs={"id": "there", "gamertag": "there", "lightningAddress": "there", "publicStaticCharge": "there"}, amounts=[], headers=["usertoken"]),
    "getUserWallet": Operation(name="getUserWallet", verb="GET", path="/v1/oauth2/wallet", host="base", idempotent=True, query=[], has_body=False, needs={"balance": "amount"}, amounts=[], headers=["usertoken"]),
    "events": Operation(name="events", verb="GET", path="/v0/events", host="base", idempotent=True, query=[], has_body=False, needs={}, amounts=[]),
}


class PaymentsClient(ApiClient):
    """The client of the payments service: charges, payments, vouchers, and the wallet of a project.

    Each method raises only ``PaymentsError``, whatever the server or the network does. Amounts are strings of
    millisatoshis: ``int(amount) // 1000`` is the amount in sats. Requests also accept an int.
    """

    _api = _API

    def create_charge(self, *, amount: Union[str, int], description: str, expires_in: Optional[int] = None, callback_url: Optional[str] = None, internal_id: Optional[str] = None, idempotency_key: Optional[str] = None) -> Answer[ProjectCharge]:
        """Creates a single-use invoice.

        Payments are credited to the project wallet. It expires after 600 seconds if expiresIn is omitted. Not every provider offers this operation.

        Needs a key with the scope `receive`.

        amount: The amount that the payer pays. In msats, at least 1000.
        description: What the payer sees.
        expires_in: Seconds until expiry.
        callback_url: The https address on the public Internet to which updates are POSTed. Empty if there is none.
        internal_id: The caller's own metadata, echoed unchanged.
        """
        return self._call(_OPERATIONS["createCharge"], {"amount": amount, "description": description, "expiresIn": expires_in, "callbackUrl": callback_url, "internalId": internal_id}, idempotency_key)

    def get_charge(self, *, id: str) -> Answer[ProjectCharge]:
        """Reads a charge of the project wallet.

        `completed` and `expired` are final, with one exception: a payment that arrives late is credited, and completes an expired charge. Not every provider offers this operation.

        Needs a key with the scope `read`.

        id: The id of the charge.
        """
        return self._call(_OPERATIONS["getCharge"], {"id": id}, None)

    def create_gamertag_charge(self, *, amount: Union[str, int], gamertag: str, description: Optional[str] = None, expires_in: Optional[int] = None, internal_id: Optional[str] = None, callback_url: Optional[str] = None, idempotency_key: Optional[str] = None) -> Answer[Charge]:
        """Creates a single-use invoice.

        The payment is credited to the owner of the gamertag, even if they have changed the gamertag by then. It expires after 600 seconds if expiresIn is omitted.

        Needs a key with the scope `receive`.

        amount: The amount that the payer pays. In msats, at least 1000.
        gamertag: Gamertag of the recipient.
        description: Note visible to the recipient.
        expires_in: Seconds until expiry.
        internal_id: The caller's own metadata, echoed unchanged.
        callback_url: The https address on the public Internet to which updates are POSTed. Empty if there is none.
        """
        return self._call(_OPERATIONS["createGamertagCharge"], {"amount": amount, "gamertag": gamertag, "description": description, "expiresIn": expires_in, "internalId": internal_id, "callbackUrl": callback_url}, idempotency_key)

    def get_gamertag_charge(self, *, id: str) -> Answer[ChargeRecord]:
        """Reads a charge, in the shape of its callback.

        Not every provider offers this operation.

        Needs a key with the scope `read`.

        id: The id of the charge.
        """
        return self._call(_OPERATIONS["getGamertagCharge"], {"id": id}, None)

    def decode_charge(self, *, invoice: str, idempotency_key: Optional[str] = None) -> Answer[DecodedCharge]:
        """Reads the contents of any Lightning invoice, of any network, no matter who made it.

        Needs a key with the scope `read`.

        invoice: The invoice contents.
        """
        return self._call(_OPERATIONS["decodeCharge"], {"invoice": invoice}, idempotency_key)

    def create_static_charge(self, *, min_amount: Union[str, int], max_amount: Union[str, int], description: str, success_message: Optional[str] = None, allowed_slots: Optional[int] = None, internal_id: Optional[str] = None, callback_url: Optional[str] = None, identifier: Optional[str] = None, idempotency_key: Optional[str] = None) -> Answer[StaticCharge]:
        """Creates a reusable payment code.

        Payments are credited to the project wallet.

        Needs a key with the scope `receive`.

        min_amount: Smallest payment. In msats, at least 1000.
        max_amount: Largest payment; equal to minAmount for a fixed amount. In msats, at least 1000.
        description: Visible to the payer.
        success_message: Shown to the payer after the payment has settled. At most 144 characters.
        allowed_slots: The number of payments after which the Static Charge is disabled. Unlimited if omitted.
        internal_id: The caller's own metadata, echoed unchanged.
        callback_url: The https address on the public Internet to which updates are POSTed. Empty if there is none.
        identifier: Makes `identifier@host` a Lightning Address (LUD-16).
        """
        return self._call(_OPERATIONS["createStaticCharge"], {"minAmount": min_amount, "maxAmount": max_amount, "description": description, "successMessage": success_message, "allowedSlots": allowed_slots, "internalId": internal_id, "callbackUrl": callback_url, "identifier": identifier}, idempotency_key)

    def update_static_charge(self, *, id: str, min_amount: Optional[Union[str, int]] = None, max_amount: Optional[Union[str, int]] = None, description: Optional[str] = None, success_message: Optional[str] = None, allowed_slots: Optional[int] = None, internal_id: Optional[str] = None, callback_url: Optional[str] = None) -> Answer[StaticCharge]:
        """Changes the given fields and no others.

        The QR code stays as it is.

        Needs a key with the scope `receive`.

        id: The id of the Static Charge.
        min_amount: Smallest payment. In msats, at least 1000.
        max_amount: Largest payment. In msats, at least 1000.
        description: Visible to the payer.
        success_message: Shown to the payer after the payment has settled. At most 144 characters.
        allowed_slots: The number of payments after which the Static Charge is disabled. Unlimited if omitted.
        internal_id: The caller's own metadata, echoed unchanged.
        callback_url: The https address on the public Internet to which updates are POSTed. Empty if there is none.
        """
        return self._call(_OPERATIONS["updateStaticCharge"], {"id": id, "minAmount": min_amount, "maxAmount": max_amount, "description": description, "successMessage": success_message, "allowedSlots": allowed_slots, "internalId": internal_id, "callbackUrl": callback_url}, None)

    def get_static_charge(self, *, id: str) -> Answer[ReadStaticCharge]:
        """Reads a Static Charge: its slots, its success message, its status.

        Needs a key with the scope `read`.

        id: The id of the Static Charge.
        """
        return self._call(_OPERATIONS["getStaticCharge"], {"id": id}, None)

    def list_static_charge_payments(self, *, id: str, after: str) -> Answer[ListStaticChargePaymentsAnswer]:
        """Lists the payments to a Static Charge, in the order of their slots: at most 100, after the slot `after`.

        With it, you can check the amounts in callbacks, and miss no payment if a callback is lost.

        Needs a key with the scope `read`.

        id: The id of the Static Charge.
        after: The last slot that you know already; 0 if you know none.
        """
        return self._call(_OPERATIONS["listStaticChargePayments"], {"id": id, "after": after}, None)

    def create_withdrawal_request(self, *, amount: Union[str, int], description: Optional[str] = None, expires_in: Optional[int] = None, internal_id: Optional[str] = None, callback_url: Optional[str] = None, max_fee: Optional[Union[str, int]] = None, idempotency_key: Optional[str] = None) -> Answer[WithdrawalRequest]:
        """Creates a single-use code that somebody scans to receive funds.

        The amount and the maximum fee are held in the project wallet until the code is claimed or expires. It expires after 3600 seconds if expiresIn is omitted.

        Needs a key with the scope `send`.

        amount: The amount that the claimer receives. In msats, at least 1000.
        description: Visible to the claimer.
        expires_in: Seconds until expiry.
        internal_id: The caller's own metadata, echoed unchanged.
        callback_url: The https address on the public Internet to which updates are POSTed. Empty if there is none.
        max_fee: Additive. The maximum fee of the payout. In msats.
        """
        return self._call(_OPERATIONS["createWithdrawalRequest"], {"amount": amount, "description": description, "expiresIn": expires_in, "internalId": internal_id, "callbackUrl": callback_url, "maxFee": max_fee}, idempotency_key)

    def retrieve_withdrawal_request(self, *, id: str) -> Answer[WithdrawalRequest]:
        """Reads a Withdrawal Request.

        Anybody who can read it can claim it, so it needs the scope for sending.

        Needs a key with the scope `send`.

        id: The id of the Withdrawal Request.
        """
        return self._call(_OPERATIONS["retrieveWithdrawalRequest"], {"id": id}, None)

    def cancel_withdrawal_request(self, *, id: str, idempotency_key: Optional[str] = None) -> Answer[WithdrawalRequest]:
        """Expires a Withdrawal Request now, unless somebody has claimed it.

        The answer is the Withdrawal Request in its new state: `expired`, or the state of its claim.

        Needs a key with the scope `send`.

        id: The id of the Withdrawal Request.
        """
        return self._call(_OPERATIONS["cancelWithdrawalRequest"], {"id": id}, idempotency_key)

    def send_payment(self, *, invoice: str, description: Optional[str] = None, amount: Optional[Union[str, int]] = None, internal_id: Optional[str] = None, callback_url: Optional[str] = None, max_fee: Optional[Union[str, int]] = None, idempotency_key: Optional[str] = None) -> Answer[Payment]:
        """Pays a Lightning invoice.

        Answers with the outcome, or after 5 seconds with status `processing`; the outcome then arrives at callbackUrl.

        Needs a key with the scope `send`.

        invoice: The Lightning invoice to pay.
        description: The caller's note.
        amount: The amount to pay, only for an invoice without an amount. In msats, at least 1000.
        internal_id: The caller's own metadata, echoed unchanged.
        callback_url: The https address on the public Internet to which updates are POSTed. Empty if there is none.
        max_fee: Additive. The maximum fee of the payment. In msats.
        """
        return self._call(_OPERATIONS["sendPayment"], {"invoice": invoice, "description": description, "amount": amount, "internalId": internal_id, "callbackUrl": callback_url, "maxFee": max_fee}, idempotency_key)

    def retrieve_payment(self, *, id: str) -> Answer[Payment]:
        """Reads a payment by its id, or (additive) a keysend by its paymentId.

        Needs a key with the scope `read`.

        id: The id of the payment.
        """
        return self._call(_OPERATIONS["retrievePayment"], {"id": id}, None)

    def fetch_offer_invoice(self, *, offer: str, amount: Optional[Union[str, int]] = None, note: Optional[str] = None, idempotency_key: Optional[str] = None) -> Answer[OfferInvoice]:
        """Asks the maker of a BOLT12 offer, or the owner of a Bitcoin name (BIP-353), for an invoice, and checks its amount.

        No sats move until you pay the invoice with Send Payment. 501 if the Lightning node does not support this. Not every provider offers this operation.

        Needs a key with the scope `send`.

        offer: The offer (`lno1…`), or the Bitcoin name with its sign (`₿name@domain`).
        amount: The amount that the payee receives, only for a name, and for an offer without an amount. In msats, at least 1000.
        note: A note for the payee.
        """
        return self._call(_OPERATIONS["fetchOfferInvoice"], {"offer": offer, "amount": amount, "note": note}, idempotency_key)

    def send_keysend_payment(self, *, amount: Union[str, int], pubkey: str, callback_url: Optional[str] = None, metadata: Optional[Dict[str, Any]] = None, tlv_records: Optional[List[Dict[str, Any]]] = None, max_fee: Optional[Union[str, int]] = None, idempotency_key: Optional[str] = None) -> Answer[Keysend]:
        """Pays a node without an invoice.

        Answers with the outcome, or after 5 seconds with status `TRANSACTION_STATUS_PROCESSING`; the outcome then arrives at callbackUrl.

        Needs a key with the scope `send`.

        amount: The amount that the destination receives. In msats, at least 1000.
        pubkey: Public key of the destination node, hex.
        callback_url: The https address on the public Internet to which updates are POSTed. Empty if there is none.
        metadata: Any JSON object, which the callback returns.
        tlv_records: Custom records that are sent with the payment, and that the callback returns.
        max_fee: Additive. The maximum fee of the payment. In msats.
        """
        return self._call(_OPERATIONS["sendKeysendPayment"], {"amount": amount, "pubkey": pubkey, "callbackUrl": callback_url, "metadata": metadata, "tlvRecords": tlv_records, "maxFee": max_fee}, idempotency_key)

    def pay_to_gamertag(self, *, amount: Union[str, int], gamertag: str, description: str, receiver_id: Optional[str] = None, idempotency_key: Optional[str] = None) -> Answer[GamertagPayment]:
        """Pays a gamertag without a fee.

        When the answer arrives, the payment has either settled or failed.

        Needs a key with the scope `send`.

        amount: The amount that the recipient receives. In msats.
        gamertag: Gamertag of the recipient.
        description: Visible to the recipient.
        receiver_id: Additive. The id of the user who must have the gamertag. If another user has it, no sats move.
        """
        return self._call(_OPERATIONS["payToGamertag"], {"amount": amount, "gamertag": gamertag, "description": description, "receiverId": receiver_id}, idempotency_key)

    def get_gamertag_payment(self, *, id: str) -> Answer[GamertagTransaction]:
        """Reads a gamertag payment by the transactionId that Pay to Gamertag returned.

        Needs a key with the scope `read`.

        id: The transactionId of the payment.
        """
        return self._call(_OPERATIONS["getGamertagPayment"], {"id": id}, None)

    def internal_transfer(self, *, amount: Union[str, int], receiver_wallet_id: str, idempotency_key: Optional[str] = None) -> Answer[Transfer]:
        """Moves sats to the wallet of another project of the same operator, at once and without a fee.

        The operator sets which projects belong together; by default, none do. Not every provider offers this operation.

        Needs a key with the scope `send`.

        amount: The amount that the receiver gets. In msats.
        receiver_wallet_id: The id of the project whose wallet receives the sats.
        """
        return self._call(_OPERATIONS["internalTransfer"], {"amount": amount, "receiverWalletId": receiver_wallet_id}, idempotency_key)

    def validate_lightning_address(self, *, address: str) -> Answer[LightningAddress]:
        """Asks the server of an address whether it is a Lightning Address.

        If it is not, the answer is `valid: false` without metadata, and not an error.

        Needs a key with the scope `read`.

        address: The address, `name@host`.
        """
        return self._call(_OPERATIONS["validateLightningAddress"], {"address": address}, None)

    def pay_lightning_address(self, *, ln_address: str, amount: Union[str, int], comment: Optional[str] = None, internal_id: Optional[str] = None, callback_url: Optional[str] = None, idempotency_key: Optional[str] = None) -> Answer[AddressPayment]:
        """Asks a Lightning Address for an invoice of exactly the amount, checks it, and pays it.

        Answers with the outcome, or after 5 seconds with status `processing`; the outcome then arrives at callbackUrl, and Retrieve Payment shows it. Send an `Idempotency-Key`: the address returns another invoice to each request, so nothing else shows that two requests are for the same payment. Not every provider offers this operation.

        Needs a key with the scope `send`.

        ln_address: The Lightning Address, `name@host`.
        amount: The amount that the receiver gets. In msats, at least 1000.
        comment: A text for the receiver; refused if the receiver accepts none.
        internal_id: The caller's own metadata, echoed unchanged.
        callback_url: The https address on the public Internet to which updates are POSTed. Empty if there is none.
        """
        return self._call(_OPERATIONS["payLightningAddress"], {"lnAddress": ln_address, "amount": amount, "comment": comment, "internalId": internal_id, "callbackUrl": callback_url}, idempotency_key)

    def charge_from_address(self, *, lnaddress: str, amount: Union[str, int], description: Optional[str] = None, idempotency_key: Optional[str] = None) -> Answer[ChargeFromAddressAnswer]:
        """Asks a Lightning Address for an invoice, checks its amount, its network and its purpose, and returns it.

        The payment goes to the owner of the address, not through this service, which therefore cannot know whether the invoice was paid. Not every provider offers this operation.

        Needs a key with the scope `receive`.

        lnaddress: The Lightning Address, `name@host`.
        amount: The amount that the payer pays. In msats, at least 1000.
        description: A text for the receiver; refused if the receiver accepts none.
        """
        return self._call(_OPERATIONS["chargeFromAddress"], {"lnaddress": lnaddress, "amount": amount, "description": description}, idempotency_key)

    def create_voucher(self, *, amount: Union[str, int], description: Optional[str] = None, expires_at: Optional[str] = None, idempotency_key: Optional[str] = None) -> Answer[CreatedVoucher]:
        """Debits the project wallet and issues a code that any user can redeem once.

        The fee is 1 % of the amount, at least 1 satoshi. Additive: with `withdraw`, any Lightning wallet can claim the voucher without the code. The wallet receives its `amount`; the rest of the voucher, at most half, pays the routing fee, and what is left of it is a fee of the service. `withdraw` is omitted if too little would arrive. Additive: at `expiresAt`, a voucher that nobody has redeemed is revoked automatically.

        Needs a key with the scope `send`.

        amount: The amount that the redeemer receives. In msats.
        description: Shown with the voucher.
        expires_at: From this time on nobody can redeem it, and its amount, but not its fee, is back in the project wallet. If omitted, it never expires.
        """
        return self._call(_OPERATIONS["createVoucher"], {"amount": amount, "description": description, "expiresAt": expires_at}, idempotency_key)

    def create_voucher_batch(self, *, count: int, amount: Union[str, int], description: Optional[str] = None, expires_at: Optional[str] = None, idempotency_key: Optional[str] = None) -> Answer[VoucherBatch]:
        """Creates many vouchers of one amount at once: all of them, or none.

        The wallet is debited once, and each voucher costs as much as a single voucher. Each is read, redeemed and revoked like any other voucher. Not every provider offers this operation.

        Needs a key with the scope `send`.

        count: How many vouchers to create.
        amount: The amount that the redeemer of each voucher receives. In msats.
        description: Shown with each voucher.
        expires_at: From this time on nobody can redeem it, and its amount, but not its fee, is back in the project wallet. If omitted, it never expires.
        """
        return self._call(_OPERATIONS["createVoucherBatch"], {"count": count, "amount": amount, "description": description, "expiresAt": expires_at}, idempotency_key)

    def retrieve_voucher(self, *, voucher_id: str) -> Answer[Voucher]:
        """Shows whether a voucher is valid, redeemed or revoked.

        Anybody who can read its code can redeem it, so it needs the scope for sending. If a Lightning wallet elsewhere claimed it, `redeemedById` is `lightning`. Additive: `withdraw`, as in Create Voucher, for as long as the voucher can be claimed.

        Needs a key with the scope `send`.

        voucher_id: The id of the voucher.
        """
        return self._call(_OPERATIONS["retrieveVoucher"], {"voucherId": voucher_id}, None)

    def revoke_voucher(self, *, code: str, idempotency_key: Optional[str] = None) -> Answer[EndedVoucher]:
        """Revokes a voucher that has been neither redeemed nor revoked, and credits the project wallet with its amount.

        Only the project that created the voucher can revoke it.

        Needs a key with the scope `send`.

        code: The 8-character code of the voucher; case does not matter.
        """
        return self._call(_OPERATIONS["revokeVoucher"], {"code": code}, idempotency_key)

    def redeem_voucher(self, *, code: str, idempotency_key: Optional[str] = None) -> Answer[EndedVoucher]:
        """Credits the wallet of the calling project with the amount of the voucher.

        Not every provider offers this operation.

        Needs a key with the scope `receive`.

        code: The 8-character code of the voucher; case does not matter.
        """
        return self._call(_OPERATIONS["redeemVoucher"], {"code": code}, idempotency_key)

    def get_gamertag_by_user_id(self, *, id: str) -> Answer[GetGamertagByUserIdAnswer]:
        """Reads the gamertag that a user has now.

        Needs a key with the scope `read`.

        id: The immutable id of the user.
        """
        return self._call(_OPERATIONS["getGamertagByUserId"], {"id": id}, None)

    def get_id_by_gamertag(self, *, gamertag: str) -> Answer[GetIdByGamertagAnswer]:
        """Reads the immutable id of the user who has a gamertag now.

        Case does not matter.

        Needs a key with the scope `read`.

        gamertag: The gamertag.
        """
        return self._call(_OPERATIONS["getIdByGamertag"], {"gamertag": gamertag}, None)

    def open_user(self, *, reference: str, gamertag: str, idempotency_key: Optional[str] = None) -> Answer[ProjectUser]:
        """Opens a user for one of the project's own people.

        Each later call with the same `reference` returns the same user, even if the gamertag has changed.

        Needs a key with the scope `receive`.

        reference: The identifier that the project has for the person, which never changes.
        gamertag: The gamertag of a new user. If it is taken or reserved, the user gets a similar gamertag.
        """
        return self._call(_OPERATIONS["openUser"], {"reference": reference, "gamertag": gamertag}, idempotency_key)

    def create_sign_in_link(self, *, id: str, idempotency_key: Optional[str] = None) -> Answer[SignInLink]:
        """Creates a link that opens the wallet page of a user whom the project opened.

        It works once, within ten minutes. Anybody who has the link can spend that wallet's sats, so show it only to that person. Earlier links that nobody has opened stop working.

        Needs a key with the scope `send`.

        id: The immutable id of the user.
        """
        return self._call(_OPERATIONS["createSignInLink"], {"id": id}, idempotency_key)

    def prove_gamertag(self, *, gamertag: str, reference: Optional[str] = None, code: Optional[str] = None, idempotency_key: Optional[str] = None) -> Answer[ProvenUser]:
        """Checks whether a gamertag belongs to one of the project's own people: either the project opened its user under this `reference`, or its user got this `code` on the wallet page.

        A code works once, within ten minutes.

        Needs a key with the scope `receive`.

        gamertag: The gamertag. Case does not matter.
        reference: The identifier that the project has for the person, which never changes.
        code: The code that the wallet page shows the user, to prove a gamertag.
        """
        return self._call(_OPERATIONS["proveGamertag"], {"gamertag": gamertag, "reference": reference, "code": code}, idempotency_key)

    def get_wallet(self) -> Answer[Wallet]:
        """Reads the balance of the project that owns the API key.

        Reserved money is not included. Additive: `node` contains the state of the Lightning node at its last check (`low`: it can send less than this wallet holds), and its fixed price for sending, if there is one.

        Needs a key with the scope `read`.
        """
        return self._call(_OPERATIONS["getWallet"], {}, None)

    def list_transactions(self, *, after: Optional[str] = None, limit: Optional[str] = None, type: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None) -> Answer[ListTransactionsAnswer]:
        """Lists every booking of the project wallet, the newest first.

        For the next page, send `next` as `after`; the list has ended when `next` is null. A page can have fewer bookings than its limit, even none, if few bookings match. With `Accept: text/csv` the answer is a table, and `next` is in the header `x-next-cursor`. Not every provider offers this operation.

        Needs a key with the scope `read`.

        after: The `next` of the previous page; omitted for the first page.
        limit: The maximum number of items in an answer: 1 to 500; 50 if omitted.
        type: Only bookings of this type.
        from_: Only bookings at this time or later.
        to: Only bookings before this time.
        """
        return self._call(_OPERATIONS["listTransactions"], {"after": after, "limit": limit, "type": type, "from": from_, "to": to}, None)

    def api_supported_regions(self, *, ip_address: str) -> Answer[Region]:
        """Says whether the service is offered in the region of an IP address.

        Needs a key with the scope `read`.

        ip_address: IPv4 or IPv6 address.
        """
        return self._call(_OPERATIONS["apiSupportedRegions"], {"ipAddress": ip_address}, None)

    def get_callback_addresses(self) -> Answer[GetCallbackAddressesAnswer]:
        """Lists the addresses from which callbacks come, for a firewall.

        The list is empty if the operator has entered none. A signature proves more than an address, so check it in any case. Not every provider offers this operation.

        Needs a key with the scope `read`.
        """
        return self._call(_OPERATIONS["getCallbackAddresses"], {}, None)

    def get_price(self) -> Answer[GetPriceAnswer]:
        """Reads the price of a bitcoin in dollars, from the source that the operator has chosen, at most ten minutes old.

        503 `no_price` if there is none. Not every provider offers this operation.

        Needs a key with the scope `read`.
        """
        return self._call(_OPERATIONS["getPrice"], {}, None)

    def get_user_profile(self, *, usertoken: str) -> Answer[UserProfile]:
        """Reads who has logged in.

        The user must have allowed `user` to a program of this project. Not every provider offers this operation.

        Needs a key with the scope `read`.

        usertoken: The access token that the user has allowed this program.
        """
        return self._call(_OPERATIONS["getUserProfile"], {"usertoken": usertoken}, None)

    def get_user_wallet(self, *, usertoken: str) -> Answer[UserWallet]:
        """Reads how much the user who has logged in can spend.

        The user must have allowed `wallet` to a program of this project. No sats can be spent with the access token. Not every provider offers this operation.

        Needs a key with the scope `read`.

        usertoken: The access token that the user has allowed this program.
        """
        return self._call(_OPERATIONS["getUserWallet"], {"usertoken": usertoken}, None)

    def events(self, *, after: Optional[str] = None) -> Iterator[StreamEvent]:
        """Streams server-sent events with the contents of callbacks, for all resources of the project, with or without a `callbackUrl`, in the order in which they happened.

        `event` is the kind of the callback, `id` its `webhook-id`. After a break, send the last id as `Last-Event-ID`: the stream continues after it, if it is at most three days old. Without it, the stream begins with the next event. Events of withdrawal requests are sent only to keys with the scope `send`, because anybody who has their codes can claim the sats. Not every provider offers this operation.

        Needs a key with the scope `read`.
        """
        return self._stream(_OPERATIONS["events"], {}, after)
