ALTER TABLE "calls" ADD COLUMN "forgets_history" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "sound_removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "deleted_calls" ADD COLUMN "settled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "calls_sound" ON "calls" USING btree ("team_id","start_at") WHERE sound_removed_at is null;--> statement-breakpoint
CREATE INDEX "calls_sound_assistant" ON "calls" USING btree ("team_id","assistant_id","start_at") WHERE sound_removed_at is null;--> statement-breakpoint
CREATE INDEX "calls_own_rule" ON "calls" USING btree ("team_id","start_at") WHERE (snapshot #>> '{assistant,retentionDays}') <> '{}';--> statement-breakpoint
-- Counters are written last, when a transaction commits, and in one order: the team's storage, which keeps others out, then
-- its talk. So nobody waits for anything else while holding what all changes of a team need.
CREATE OR REPLACE FUNCTION "count_call"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	-- Of a row that there is not, each field is null, and so is the difference of what has no end: 0.
	bytes bigint := coalesce((NEW.recording ->> 'bytes')::bigint, 0) - coalesce((OLD.recording ->> 'bytes')::bigint, 0);
	talked double precision := greatest(extract(epoch from NEW.end_at - NEW.answered_at), 0)
		- greatest(extract(epoch from OLD.end_at - OLD.answered_at), 0);
BEGIN
	IF TG_OP = 'DELETE' THEN
		-- The time that was talked counts on: deleting calls is no way round a limit.
		UPDATE "team_storage" SET "recording_bytes" = "recording_bytes" + bytes
		WHERE "team_id" = OLD.team_id AND bytes <> 0;
		RETURN NULL;
	END IF;
	IF bytes <> 0 OR talked <> 0 THEN
		INSERT INTO "team_storage" ("team_id", "recording_bytes") VALUES (NEW.team_id, bytes)
		ON CONFLICT ("team_id") DO UPDATE SET "recording_bytes" = "team_storage"."recording_bytes" + bytes;
	END IF;
	IF talked <> 0 THEN
		INSERT INTO "team_talk" ("team_id", "month", "seconds")
		VALUES (NEW.team_id, date_trunc('month', NEW.start_at, 'UTC'), talked)
		ON CONFLICT ("team_id", "month") DO UPDATE SET "seconds" = "team_talk"."seconds" + talked;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER "files_counted" ON "files";--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "files_counted" AFTER INSERT OR DELETE OR UPDATE OF "size_bytes" ON "files"
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "count_file"();--> statement-breakpoint
DROP TRIGGER "calls_counted_new" ON "calls";--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "calls_counted_new" AFTER INSERT ON "calls" DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (NEW.recording IS NOT NULL OR NEW.end_at IS NOT NULL) EXECUTE FUNCTION "count_call"();--> statement-breakpoint
DROP TRIGGER "calls_counted_gone" ON "calls";--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "calls_counted_gone" AFTER DELETE ON "calls" DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (OLD.recording IS NOT NULL OR OLD.end_at IS NOT NULL) EXECUTE FUNCTION "count_call"();--> statement-breakpoint
DROP TRIGGER "calls_counted" ON "calls";--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "calls_counted" AFTER UPDATE OF "recording", "answered_at", "end_at" ON "calls"
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (
	OLD.recording IS DISTINCT FROM NEW.recording
	OR OLD.answered_at IS DISTINCT FROM NEW.answered_at
	OR OLD.end_at IS DISTINCT FROM NEW.end_at
) EXECUTE FUNCTION "count_call"();
