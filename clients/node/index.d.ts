export type Tier = "clear" | "confirm" | "clarify" | "multi_intent";
export type DecidedBy =
  | "declared" | "awaiting" | "fast_path" | "cache" | "gatekeeper" | "llm" | "ensemble" | "heuristic" | "fallback";

export type Presence = "present" | "absent" | "unknown";

export interface ToolCall {
  id: string;
  tool: string;
  arguments: Record<string, string>;
  after: string[];
}

export interface Plan {
  query_type: string;
  complexity: string;
  sub_questions: {semantic_intent: string; search_keywords: string}[];
  suggested_tools: string[];
  grep_keywords: string[];
  tool_calls: ToolCall[];
}

export interface Ask {
  kind: string;
  text: string;
  options: string[];
}

export interface TraceLine {
  step: string;
  outcome: string;
  us: number;
}

export interface Decision {
  profile: string;
  session_id: string;
  query: string;
  resolved_query: string;
  language: string;
  route: string | null;
  confidence: number;
  tier: Tier;
  decided_by: DecidedBy;
  rule: string | null;
  reason: string;
  alternatives: {route: string; confidence: number}[];
  intents: {route: string; confidence: number; text: string}[];
  signals: string[];
  evidence: Record<string, Presence>;
  tables: string[];
  columns: string[];
  supervisor: {changed: boolean; from: string | null; rule: string | null};
  retrieval: boolean;
  model: {slot: string | null; name: string | null};
  target: {kind: string; name: string} | null;
  plan: Plan | null;
  ask: Ask | null;
  contract: {violations: string[]};
  trace: TraceLine[];
  llm_calls: number;
  elapsed_us: number;
}

export interface RequestFields {
  profile?: string;
  session_id?: string;
  route?: string;
  history?: {role: string; content: string}[];
  intent_history?: {type: string; topic: string}[];
  active_app?: string;
  app_state?: Record<string, unknown>;
  awaiting?: {kind: "confirm" | "clarify" | "choose" | "fill"; text?: string; options?: string[]};
  attachments?: {name?: string; mime?: string; text?: string; url?: string}[];
  extra_context?: string;
  allowlist?: Record<string, string[]>;
  evidence?: Record<string, boolean | number | string | null>;
  metadata?: Record<string, unknown>;
  deadline_ms?: number;
}

export interface LoggedDecision {
  id: string;
  at: number;
  caller: string;
  redacted: boolean;
  request: RequestFields & {query: string};
  decision: Decision;
}

export interface Problem {
  error: {message: string; type: string; code: string};
  id?: unknown;
}

export class SignalboxError extends Error {
  readonly status: number;
  readonly code: string;
}

export class Signalbox {
  constructor(options?: {url?: string; key?: string; timeout?: number});
  route(query: string, fields?: RequestFields): Promise<Decision>;
  routeBatch(requests: (RequestFields & {query: string; id?: unknown})[]): AsyncGenerator<Decision | Problem>;
  feedback(decisionId: string, rating: "up" | "down", more?: {route?: string; comment?: string}): Promise<void>;
  decisions(page?: number): AsyncGenerator<LoggedDecision>;
  profiles(): Promise<Record<string, unknown>[]>;
  session(id: string): Promise<Record<string, unknown>>;
  forgetSession(id: string): Promise<void>;
  addMessage(id: string, role: "assistant" | "user" | "tool", content: string): Promise<void>;
  isReady(): Promise<boolean>;
}
