"""Makes calls, repeats them if that is harmless, and judges the answers.

The operations are in ``payments`` and ``community``.
"""

from __future__ import annotations

import email.utils
import http.client
import json
import re
import socket
import ssl
import time
import urllib.parse
from typing import Any, Callable, Dict, Generic, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar

Data = TypeVar("Data")

# The pauses, in seconds, before the second and the third attempt of a request that may be repeated.
_RETRY_PAUSES = (0.25, 1.0)
# A server that asks for a longer pause gets no further attempt; the error says how long to wait.
_MAX_PAUSE = 5.0
_MAX_BODY_BYTES = 8 * 1024 * 1024
_STREAM_PAUSE = 2.0
_STREAM_MAX_PAUSE = 60.0

# Statuses that prove, with an error of the API as the body, that nothing happened. 405, 408 and most of the 5xx do not,
# because a proxy may have sent them.
_PROVING_STATUSES = frozenset((400, 401, 403, 404, 413, 415, 422, 429, 501))
# Matches a refusal that reports another request, such as "already paid" or "in progress".
_TELLS_OF_ANOTHER = re.compile(
    r"\balready\b[^.]*\b(paid|settled|sent|processed|completed|executed|exists?)\b"
    r"|\bbeing (paid|processed|sent)\b"
    r"|\bin[ -]?(progress|flight|transition)\b"
    r"|\b(pending|processing|still running|duplicate)\b",
    re.IGNORECASE,
)


class PaymentsError(Exception):
    """The error that a call raises, whatever the server or the network does.

    ``kind`` is ``refused`` (the server refused the request, and nothing happened), ``unreachable`` (nothing was sent),
    ``malformed`` (the answer is a success, but cannot be read) or ``unknown`` (a timeout, a broken connection, any
    500). ``happened`` says whether the request may have been carried out: ``no`` or ``maybe``. After ``maybe``, read
    the resource, or send the same request again with the same key.
    """

    def __init__(
        self,
        kind: str,
        operation: str,
        message: str,
        status: Optional[int] = None,
        code: Optional[str] = None,
        limit: Optional[int] = None,
        retry_after: Optional[float] = None,
        replayed: bool = False,
        should_retry: Optional[bool] = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.happened = "no" if kind in ("refused", "unreachable") else "maybe"
        self.operation = operation
        self.message = message
        self.status = status
        self.code = code
        #: The amount that would be possible, in msats, if the server names it.
        self.limit = limit
        #: Seconds to wait before the next attempt, if the server named a time.
        self.retry_after = retry_after
        self.replayed = replayed
        self.should_retry = should_retry


class Answer(Generic[Data]):
    """The answer to a call."""

    __slots__ = ("data", "message", "replayed")

    def __init__(self, data: Data, message: Optional[str], replayed: bool) -> None:
        self.data = data
        #: The server's sentence; None if the interface has none.
        self.message = message
        #: Whether this is the stored answer to an earlier request with the same Idempotency-Key.
        self.replayed = replayed

    def __repr__(self) -> str:
        return f"Answer(data={self.data!r}, message={self.message!r}, replayed={self.replayed!r})"


class StreamEvent(NamedTuple):
    """One event of a stream. Store its ``id``, and pass it as ``after`` to continue with the next event."""

    id: str
    type: str
    data: Any


class Operation(NamedTuple):
    """The facts about an operation that a call needs."""

    name: str
    verb: str
    path: str
    host: str
    idempotent: bool
    query: List[str]
    has_body: bool
    needs: Mapping[str, str]
    # The fields of the request that are amounts. An int is converted to the string that the interface requires.
    amounts: List[str]
    # The fields of the request that are sent as headers of the same name.
    headers: Sequence[str] = ()


class ApiFacts(NamedTuple):
    """The facts about a whole API."""

    header: Tuple[str, str]
    has_envelope: bool
    proving_codes: Mapping[str, int]


class _NoAnswer(Exception):
    """No complete answer arrived. ``sent`` is False only if it is certain that no byte of the request was sent."""

    def __init__(self, message: str, sent: bool) -> None:
        super().__init__(message)
        self.sent = sent


class _Request(NamedTuple):
    operation: str
    verb: str
    base: urllib.parse.SplitResult
    path: str
    headers: Dict[str, str]
    body: Optional[bytes]


class ApiClient:
    """The base of both clients: it sends requests, repeats them if that is harmless, and judges the answers.

    ``replays_keys`` says whether a POST with an Idempotency-Key may be sent again. Satchel carries it out once, and
    replays the answer. Set it to False for another provider that does not promise this.
    """

    _api: ApiFacts

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        alt_base_url: Optional[str] = None,
        timeout: float = 20.0,
        replays_keys: bool = True,
        ssl_context: Optional[ssl.SSLContext] = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not re.fullmatch(r"[\x21-\x7e]+", api_key):
            raise ValueError("the API key is empty or has unprintable characters")
        self._hosts = {"base": _host_of(base_url), "alt": _host_of(alt_base_url or base_url)}
        self._authorization = (self._api.header[0], self._api.header[1] + api_key)
        self._timeout = timeout
        self._replays_keys = replays_keys
        self._ssl = ssl_context
        self._sleep = sleep

    def _call(self, operation: Operation, given: Mapping[str, Any], key: Optional[str]) -> Answer[Any]:
        """Sends a request, and repeats it if that is harmless.

        Raises the last error, or an earlier error after which the request may have been carried out.
        """
        request = self._prepare(operation, given, key)
        repeatable = operation.idempotent or (operation.verb == "POST" and key is not None and self._replays_keys)
        doubt: Optional[PaymentsError] = None
        attempt = 0
        while True:
            try:
                return self._attempt(operation, request)
            except PaymentsError as error:
                if error.happened == "maybe" and not operation.idempotent:
                    doubt = error
                pause = _pause_before(attempt, error) if repeatable else None
                if pause is None:
                    # A refusal proves nothing about an earlier attempt, unless it is the replayed answer to it.
                    if doubt is None or error.replayed or doubt is error:
                        raise
                    raise doubt from error
            self._sleep(pause)
            attempt += 1

    def _prepare(self, operation: Operation, given: Mapping[str, Any], key: Optional[str]) -> _Request:
        base = self._hosts[operation.host]
        headers = {self._authorization[0]: self._authorization[1], "accept": "application/json"}
        if operation.has_body:
            headers["content-type"] = "application/json"
        if key is not None:
            if not re.fullmatch(r"[\x21-\x7e]{1,255}", key):
                raise ValueError("not an idempotency key: 1 to 255 visible ASCII characters")
            headers["idempotency-key"] = key
        in_path = re.findall(r"\{(\w+)\}", operation.path)
        fields = {name: value for name, value in given.items() if value is not None and name not in in_path}
        for name in operation.headers:
            if name in fields:
                headers[name] = str(fields.pop(name))
        for name in operation.amounts:
            if isinstance(fields.get(name), int):
                fields[name] = str(fields[name])
        path = operation.path
        for name in in_path:
            path = path.replace("{" + name + "}", _segment(operation.name, name, given.get(name)))
        query = [(name, str(fields[name])) for name in operation.query if name in fields]
        if query:
            path += "?" + urllib.parse.urlencode(query)
        body = json.dumps(fields).encode() if operation.has_body else None
        return _Request(operation.name, operation.verb, base, base.path.rstrip("/") + path, headers, body)

    def _attempt(self, operation: Operation, request: _Request) -> Answer[Any]:
        try:
            status, headers, text = self._send(request)
        except _NoAnswer as error:
            kind = "unknown" if error.sent else "unreachable"
            raise PaymentsError(kind, request.operation, str(error)) from error
        replayed = headers.get("idempotency-replayed", "").lower() == "true"
        body = _parse(text)
        if not 200 <= status < 300 or (isinstance(body, dict) and body.get("success") is False):
            raise self._refusal(request.operation, status, headers, body)
        if body is _NOT_JSON:
            message = f"HTTP {status} with a body that is not JSON"
            raise PaymentsError("unknown", request.operation, message, status=status, replayed=replayed)
        data, message = _read(self._api, operation, body, status, replayed)
        return Answer(data, message, replayed)

    def _connect(self, base: urllib.parse.SplitResult, timeout: Optional[float]) -> http.client.HTTPConnection:
        host = base.hostname or ""
        if base.scheme == "https":
            context = self._ssl or ssl.create_default_context()
            return http.client.HTTPSConnection(host, base.port, timeout=timeout, context=context)
        return http.client.HTTPConnection(host, base.port, timeout=timeout)

    def _open(self, request: _Request) -> Tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        connection = self._connect(request.base, self._timeout)
        try:
            connection.connect()
        except OSError as error:
            connection.close()
            raise _NoAnswer(f"no connection to {request.base.netloc}: {error}", sent=False) from error
        try:
            connection.request(request.verb, request.path, body=request.body, headers=request.headers)
            return connection, connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise _NoAnswer(_reason(error, self._timeout), sent=True) from error

    def _send(self, request: _Request) -> Tuple[int, Dict[str, str], str]:
        connection, response = self._open(request)
        try:
            raw = response.read(_MAX_BODY_BYTES + 1)
        except (OSError, http.client.HTTPException) as error:
            raise _NoAnswer(_reason(error, self._timeout), sent=True) from error
        finally:
            connection.close()
        # ``read`` raises no error if the body breaks off, but then ``length`` is the number of missing bytes.
        if response.length:
            raise _NoAnswer("the answer broke off", sent=True)
        if len(raw) > _MAX_BODY_BYTES:
            raise _NoAnswer(f"the answer is longer than {_MAX_BODY_BYTES} bytes", sent=True)
        return response.status, _lower(response), raw.decode("utf-8", "replace")

    def _refusal(self, operation: str, status: int, headers: Mapping[str, str], body: Any) -> PaymentsError:
        shape = _error_shape(body)
        advice = headers.get("x-should-retry")
        limit = headers.get("x-amount-limit", "")
        return PaymentsError(
            "refused" if _proves_nothing_happened(status, shape, self._api.proving_codes) else "unknown",
            operation,
            shape[0] if shape else f"HTTP {status} without an error that can be read",
            status=status,
            code=shape[1] if shape else None,
            limit=int(limit) if re.fullmatch(r"[1-9][0-9]{0,18}", limit) else None,
            retry_after=_retry_after(headers.get("retry-after")),
            replayed=headers.get("idempotency-replayed", "").lower() == "true",
            should_retry=None if advice is None else advice != "false",
        )

    def _stream(self, operation: Operation, given: Mapping[str, Any], after: Optional[str]) -> Iterator[StreamEvent]:
        """Yields events for as long as the caller iterates.

        After each break, it continues after the last event. If there has been no event yet, it begins with the next
        event that happens.
        """
        last, failures = after, 0
        while True:
            pause = min(_STREAM_PAUSE * 2 ** min(failures, 5), _STREAM_MAX_PAUSE)
            request = self._prepare(operation, given, None)
            request.headers["accept"] = "text/event-stream"
            if last is not None:
                request.headers["last-event-id"] = last
            try:
                connection, response = self._open(request)
                try:
                    if response.status != 200:
                        body = _parse(response.read(_MAX_BODY_BYTES).decode("utf-8", "replace"))
                        raise self._refusal(operation.name, response.status, _lower(response), body)
                    for event in _events(response):
                        failures, last = 0, event.id or last
                        yield event
                    pause = _STREAM_PAUSE
                finally:
                    connection.close()
            except PaymentsError as error:
                # Rate limits and outages pass, but a refusal of the request itself is final. So is a redirect, because
                # the client sends its key to no other address.
                if 300 <= (error.status or 500) < 500 and error.status not in (408, 429):
                    raise
                failures += 1
                pause = max(pause, error.retry_after or 0.0)
            # A ValueError means that an event cannot be read. The stream is opened again, as after any other break.
            except (_NoAnswer, OSError, http.client.HTTPException, ValueError):
                failures += 1
            self._sleep(pause)


_NOT_JSON = object()


def _host_of(base_url: str) -> urllib.parse.SplitResult:
    url = urllib.parse.urlsplit(base_url)
    if url.scheme not in ("http", "https") or not url.hostname or url.query or url.username:
        raise ValueError(f"not a base URL such as https://pay.example.com, without a query or a user name: {base_url}")
    return url


def _segment(operation: str, name: str, value: Any) -> str:
    # A dot segment, escaped or not, would be resolved on the way and reach another operation.
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise PaymentsError("refused", operation, f"{name} cannot be part of a path: {value!r}", code="invalid_field")
    return urllib.parse.quote(value, safe="")


def _pause_before(attempt: int, error: PaymentsError) -> Optional[float]:
    """Returns the seconds to wait before attempt number ``attempt + 2``; None if there must be no such attempt."""
    if attempt >= len(_RETRY_PAUSES) or error.should_retry is False:
        return None
    status = 500 if error.status is None else error.status
    passes = (
        error.kind == "unreachable"
        or error.code == "still_running"
        or status in (429, 503)
        or (error.kind == "unknown" and status >= 500)
    )
    pause = max(_RETRY_PAUSES[attempt], error.retry_after or 0.0)
    return pause if passes and pause <= _MAX_PAUSE else None


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return _NOT_JSON


def _error_shape(body: Any) -> Optional[Tuple[str, Optional[str]]]:
    """Returns the message and code of a body that is an error of the API; None for any other body."""
    if not isinstance(body, dict) or body.get("success") not in (None, False) or body.get("data") is not None:
        return None
    message, code = body.get("message"), body.get("code")
    if not isinstance(message, str) or not message:
        return None
    return message, code if isinstance(code, str) and code else None


def _proves_nothing_happened(
    status: int, shape: Optional[Tuple[str, Optional[str]]], proving_codes: Mapping[str, int]
) -> bool:
    if shape is None:
        return False
    message, code = shape
    if status in (409, 503):
        return code is not None and proving_codes.get(code) == status
    if status not in _PROVING_STATUSES:
        return False
    return not _TELLS_OF_ANOTHER.search(message) and not _TELLS_OF_ANOTHER.search((code or "").replace("_", " "))


def _retry_after(header: Optional[str]) -> Optional[float]:
    """Reads the header Retry-After, which is in seconds or a date (RFC 9110). Returns seconds."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header):
        return float(header)
    try:
        return max(email.utils.parsedate_to_datetime(header).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError):
        return None


def _lower(response: http.client.HTTPResponse) -> Dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}


def _reason(error: BaseException, timeout: float) -> str:
    return f"no answer within {timeout} s" if isinstance(error, socket.timeout) else str(error) or type(error).__name__


def _read(
    api: ApiFacts, operation: Operation, body: Any, status: int, replayed: bool
) -> Tuple[Any, Optional[str]]:
    """Returns the data and the message of a success. Raises a ``malformed`` PaymentsError if the data is unusable."""

    def malformed(what: str) -> PaymentsError:
        return PaymentsError(
            "malformed", operation.name, f"the answer's {what}", status=status, replayed=replayed
        )

    if not isinstance(body, dict):
        raise malformed("body is not an object")
    data = body.get("data") if api.has_envelope else body
    if data is None:
        raise malformed("data is missing")
    for field, need in operation.needs.items():
        value = data.get(field) if isinstance(data, dict) else None
        if value is None or value == "":
            raise malformed(f"data.{field} is missing")
        if need == "amount" and not (isinstance(value, str) and re.fullmatch(r"[0-9]{1,19}", value)):
            raise malformed(f"data.{field} is not an amount: a string of decimal digits")
    message = body.get("message") if api.has_envelope else None
    return data, message if isinstance(message, str) else None


def _events(response: http.client.HTTPResponse) -> Iterator[StreamEvent]:
    """Yields the events in a body, as the HTML standard defines them. Comments only keep the connection alive."""
    fields: Dict[str, str] = {}
    data: List[str] = []
    for raw in response:
        line = raw.decode("utf-8").rstrip("\r\n")
        if line == "":
            if data:
                yield StreamEvent(fields.get("id", ""), fields.get("event", "message"), json.loads("\n".join(data)))
            fields, data = {}, []
            continue
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            data.append(value)
        elif name:
            fields[name] = value
