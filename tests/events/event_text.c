// SPDX-License-Identifier: GPL-2.0
/*
 * Shows the text that the kernel prints for any record of an event. The first write to
 * /sys/kernel/debug/event_text is the event's "SYSTEM/NAME", each further one is a
 * record. Then the text can be read, from the start of the file.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/trace_events.h>

/* A location's offset and length are at most 64 KiB. Zeros follow the record. */
#define RECORD_SIZE (2 * SZ_64K)

struct event_text {
	struct trace_iterator iter;
	struct trace_event_file *file;
	u8 record[RECORD_SIZE] __aligned(8);
};

static int event_text_open(struct inode *inode, struct file *file)
{
	struct event_text *this = kvzalloc(sizeof(*this), GFP_KERNEL);

	if (!this)
		return -ENOMEM;
	trace_seq_init(&this->iter.seq);
	file->private_data = this;
	return 0;
}

static int event_text_release(struct inode *inode, struct file *file)
{
	struct event_text *this = file->private_data;

	if (this->file)
		trace_put_event_file(this->file);
	kfree(this->iter.fmt);
	kvfree(this);
	return 0;
}

static int choose(struct event_text *this, const char __user *text, size_t len)
{
	char *system = memdup_user_nul(text, len);
	struct trace_event_file *file;
	char *name;

	if (IS_ERR(system))
		return PTR_ERR(system);
	name = system;
	strsep(&name, "/");
	file = name ? trace_get_event_file(NULL, system, name) : ERR_PTR(-EINVAL);
	kfree(system);
	if (IS_ERR(file))
		return PTR_ERR(file);
	this->file = file;
	return 0;
}

/* Like output_printk() in kernel/trace/trace.c. */
static void print(struct event_text *this, size_t len)
{
	struct trace_event *event = &this->file->event_call->event;
	struct trace_iterator *iter = &this->iter;

	trace_seq_init(&iter->seq);
	iter->tr = this->file->tr;
	iter->ent = (struct trace_entry *)this->record;
	iter->ent->type = event->type;
	iter->ent_size = len;
	event->funcs->trace(iter, 0, event);
}

static ssize_t event_text_write(struct file *file, const char __user *data, size_t len, loff_t *pos)
{
	struct event_text *this = file->private_data;
	int error;

	if (!this->file) {
		error = choose(this, data, len);
		return error ?: len;
	}
	if (len < sizeof(struct trace_entry) || len > RECORD_SIZE)
		return -EINVAL;
	memset(this->record, 0, RECORD_SIZE);
	if (copy_from_user(this->record, data, len))
		return -EFAULT;
	print(this, len);
	return len;
}

static ssize_t event_text_read(struct file *file, char __user *data, size_t len, loff_t *pos)
{
	struct event_text *this = file->private_data;
	struct trace_seq *s = &this->iter.seq;

	return simple_read_from_buffer(data, len, pos, s->buffer, trace_seq_used(s));
}

static const struct file_operations event_text_fops = {
	.owner = THIS_MODULE,
	.open = event_text_open,
	.release = event_text_release,
	.read = event_text_read,
	.write = event_text_write,
	.llseek = default_llseek,
};

static struct dentry *dentry;

static int __init event_text_init(void)
{
	dentry = debugfs_create_file("event_text", 0600, NULL, NULL, &event_text_fops);
	return PTR_ERR_OR_ZERO(dentry);
}
module_init(event_text_init);

static void __exit event_text_exit(void)
{
	debugfs_remove(dentry);
}
module_exit(event_text_exit);

MODULE_DESCRIPTION("The text that the kernel prints for a record");
MODULE_LICENSE("GPL");
