CREATE TABLE "audit_entries" (
	"chain" text collate "C" NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text collate "C",
	"actor_name" text,
	"action" text NOT NULL,
	"subject" text,
	"outcome" text NOT NULL,
	"address" text,
	"request_id" text,
	"hash" text collate "C" NOT NULL,
	CONSTRAINT "audit_entries_chain_seq_pk" PRIMARY KEY("chain","seq")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"chain" text collate "C" PRIMARY KEY NOT NULL,
	"seq" integer NOT NULL,
	"hash" text collate "C" NOT NULL,
	"sealed" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "media_tokens" ADD COLUMN "holder" jsonb;--> statement-breakpoint
CREATE FUNCTION "audit_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_entries_append_only" BEFORE UPDATE OR DELETE ON "audit_entries"
  FOR EACH ROW EXECUTE FUNCTION "audit_append_only"();
--> statement-breakpoint
CREATE TRIGGER "audit_entries_no_truncate" BEFORE TRUNCATE ON "audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_append_only"();
--> statement-breakpoint
CREATE TRIGGER "audit_heads_no_delete" BEFORE DELETE ON "audit_heads"
  FOR EACH ROW EXECUTE FUNCTION "audit_append_only"();
--> statement-breakpoint
CREATE TRIGGER "audit_heads_no_truncate" BEFORE TRUNCATE ON "audit_heads"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_append_only"();
--> statement-breakpoint
CREATE TRIGGER "audit_heads_forward_only" BEFORE UPDATE ON "audit_heads"
  FOR EACH ROW WHEN (NEW.seq < OLD.seq) EXECUTE FUNCTION "audit_append_only"();
