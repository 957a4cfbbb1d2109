CREATE TABLE "knowledge_index_blocks" (
	"segment_id" text collate "C" NOT NULL,
	"first" integer NOT NULL,
	"format" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "knowledge_index_blocks_segment_id_first_pk" PRIMARY KEY("segment_id","first")
);
--> statement-breakpoint
ALTER TABLE "knowledge_segments" ADD COLUMN "reader_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "knowledge_index_blocks" ADD CONSTRAINT "knowledge_index_blocks_segment_id_knowledge_segments_id_fk" FOREIGN KEY ("segment_id") REFERENCES "public"."knowledge_segments"("id") ON DELETE cascade ON UPDATE no action;