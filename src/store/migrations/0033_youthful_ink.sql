ALTER TABLE "deleted_calls" ADD COLUMN "start_at" timestamp (3) with time zone;--> statement-breakpoint
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
	IF bytes <> 0 THEN
		INSERT INTO "team_storage" ("team_id", "recording_bytes") VALUES (NEW.team_id, bytes)
		ON CONFLICT ("team_id") DO UPDATE SET "recording_bytes" = "team_storage"."recording_bytes" + bytes;
	END IF;
	IF talked <> 0 THEN
		INSERT INTO "team_talk" ("team_id", "month", "seconds")
		VALUES (NEW.team_id, date_trunc('month', NEW.start_at, 'UTC'), talked)
		ON CONFLICT ("team_id", "month") DO UPDATE SET "seconds" = "team_talk"."seconds" + talked;
	END IF;
	RETURN NULL;
END $$;
