"""Whether an agent has the key that its id comes from: another one asks, it signs, and both hear the result.

Owns the requests under way and their end. Refuses to check a signature: who has the connection of the agent that
answers has checked it, and says which key signed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.relay.engine.effects import Send, refuse
from sleep.relay.engine.world import Verification

if TYPE_CHECKING:
    from sleep.relay.engine.effects import Effect, Now
    from sleep.relay.engine.frames import Frame
    from sleep.relay.engine.requests import VerifyRequest, VerifyResponse
    from sleep.relay.engine.world import Agent, World


def ask(world: World, agent: Agent, request: VerifyRequest, ident: str, now: Now, out: list[Effect]) -> None:
    """Ask an agent for a proof; a sleeper is not disturbed, and has failed."""
    target = world.find(request.target)
    if target is None:
        return refuse(agent.id, "AGENT_NOT_FOUND", f"Agent {request.target} not found", now, out)
    if not target.keyed:
        return refuse(agent.id, "NO_PUBKEY", f"Agent {request.target} has no persistent identity", now, out)
    name, rules = f"verify_{ident}", world.rules
    if target.sleep:
        out.append(Send((agent.id,), _failed(name, request.target, "The agent is asleep", now)))
        return None
    own = sum(entry.asker == agent.id for entry in world.verifications.values())
    if own >= rules.own_verifications or len(world.verifications) >= rules.verifications:
        return refuse(agent.id, "NOT_ALLOWED", "too many verifications are under way", now, out)
    world.verifications[name] = Verification(agent.id, target.id, request.target, request.nonce)
    world.timers.set(("verification", name), now.mono + rules.verification)
    frame = {"type": "VERIFY_REQUEST", "ts": now.wall, "request_id": name}
    out.append(Send((target.id,), {**frame, "from": agent.id, "nonce": request.nonce}))
    out.append(Send((agent.id,), {**frame, "target": request.target, "status": "pending"}))
    return None


def answer(world: World, agent: Agent, request: VerifyResponse, _ident: str, now: Now, out: list[Effect]) -> None:
    """Tell both what came of it: it was the agent that was asked, its nonce, and its key that signed."""
    entry = world.verifications.get(request.request)
    if not agent.keyed:
        why = "Responding to verification requires persistent identity"
        return refuse(agent.id, "SIGNATURE_REQUIRED", why, now, out)
    if entry is None:
        return refuse(agent.id, "VERIFICATION_EXPIRED", "Verification request not found or expired", now, out)
    if entry.agent != agent.id:
        return refuse(agent.id, "INVALID_MSG", "You are not the target of this verification", now, out)
    if entry.nonce != request.nonce:
        return refuse(agent.id, "INVALID_MSG", "Nonce mismatch", now, out)
    del world.verifications[request.request]
    world.timers.cancel(("verification", request.request))
    verified = bool(request.pubkey)
    frame = {"type": "VERIFY_SUCCESS" if verified else "VERIFY_FAILED", "ts": now.wall, "request_id": request.request}
    result = {**frame, "agent": entry.target, "pubkey": request.pubkey}
    if not verified:
        result = _failed(request.request, entry.target, "Signature verification failed", now)
    out.append(Send((entry.asker,), result))
    out.append(Send((agent.id,), {**frame, "verified": verified}))
    return None


def expire(world: World, name: str, now: Now, out: list[Effect]) -> None:
    """End a request that nobody answered."""
    entry = world.verifications.pop(name)
    out.append(Send((entry.asker,), _failed(name, entry.target, "Verification timed out", now)))


def _failed(name: str, target: str, reason: str, now: Now) -> Frame:
    return {"type": "VERIFY_FAILED", "ts": now.wall, "request_id": name, "target": target, "reason": reason}
